import { type Service, withChanges, withToken } from '../../contract/http/client.ts';
import { retryToken } from '../../contract/http/retry.ts';
import { attempt, type ProbeResult, presentClock } from '../../contract/round/attempt.ts';
import { accountFor } from '../../contract/round/disturbance.ts';
import { checkAlive, checkJudgeable } from '../../contract/round/preflight.ts';
import type { Token } from '../../contract/secrets/secret.ts';
import { realTime, type Time } from '../loop/time.ts';
import type { DueRun } from './agenda.ts';
import type { Place } from './plan.ts';
import { type Run, runWithoutResult, withReason } from './run.ts';
import type { TracedClient } from './traced-client.ts';
import type { WatchedTarget } from './watched-target.ts';

export interface RoundOptions {
  /** Opens a client of the target, which knows these secrets. */
  readonly openClient: (secrets?: readonly Token['secret'][]) => TracedClient;
  /** Called with each run as it ends. */
  readonly onRun: (run: Run, place: Place) => void;
  /** The reason why the provider may refuse a valid token at a place now; undefined if there is none. */
  readonly findDisturbance: (place: Place) => string | undefined;
  /** Whether no further run must begin. */
  readonly isStopped?: () => boolean;
  readonly time?: Pick<Time, 'wall'>;
}

/**
 * Runs probes one after another with one token. If the provider issues no token, or answers 429, the
 * round sends nothing more. It never throws.
 */
export async function runRound(
  target: WatchedTarget,
  due: readonly DueRun[],
  options: RoundOptions,
): Promise<void> {
  const { openClient, onRun, isStopped, time = realTime } = options;
  if (due.length === 0) return;
  // Its connections end with it: they would only outlive the young generation of the memory.
  using opened = openClient();
  const { client, observed } = opened;
  const startedAt = time.wall();
  let token: Token | undefined;
  try {
    // The requests without a valid token use the same connection: a handshake takes longer than all else of a request.
    token = await client.connection(
      ({ issue }) => checkJudgeable({ ...client, issue }, target.account, target.settingNames),
      'shared',
    );
  } catch (error) {
    const seconds = (time.wall() - startedAt) / 1000;
    for (const { place } of due)
      onRun(
        { startedAt, ...observed(), ...runWithoutResult(error, place, seconds, client.scrub) },
        place,
      );
    return;
  }
  for (const dueRun of due) {
    if (isStopped?.() === true) break;
    const run = await runPlace(dueRun, { target, token, time, ...options });
    onRun(run, dueRun.place);
    if (run.reason === 'rate-limited') break;
  }
}

interface PlaceContext extends Pick<RoundOptions, 'openClient' | 'findDisturbance'> {
  readonly target: WatchedTarget;
  /** The round's token. */
  readonly token: Token | undefined;
  readonly time: Pick<Time, 'wall'>;
}

async function runPlace(due: DueRun, context: PlaceContext): Promise<Run> {
  const { token, time } = context;
  const clients: TracedClient[] = [];
  const openClient = (): TracedClient => {
    const opened = context.openClient(token === undefined ? [] : [token.secret]);
    clients.push(opened);
    return opened;
  };
  const startedAt = time.wall();
  const ended = await judgePlace(due, openClient, context).then(withReason, (error: unknown) => {
    const scrub = clients.at(-1)?.client.scrub ?? String;
    return runWithoutResult(error, due.place, (time.wall() - startedAt) / 1000, scrub);
  });
  await clients.at(-1)?.end();
  const requests = clients.reduce((sum, { client }) => sum + client.requests(), 0);
  return { ...ended, startedAt, processing: [], ...clients.at(-1)?.observed(), requests };
}

/**
 * A finding counts only if a second attempt with new tokens has it too. No request of the first outlives it.
 * @throws UnjudgeableError @throws UnreachableError
 */
async function judgePlace(
  { place, part }: DueRun,
  openClient: () => TracedClient,
  { target, token, findDisturbance }: PlaceContext,
): Promise<ProbeResult> {
  const { probe, endpoint } = place;
  const { endpoints } = target;
  const account = accountFor(probe, target);
  const guesses = { left: target.wrongCredentials ?? Number.POSITIVE_INFINITY };
  const disturbed = findDisturbance(place);
  const run = ({ client }: TracedClient, service: Service): Promise<ProbeResult> =>
    attempt(
      probe,
      { service, account, guesses, endpoint, endpoints, clock: presentClock },
      {
        disturbed,
        part,
        scrub: client.scrub,
        simulated: false,
        checkAlive: () => checkAlive(client, account, endpoint),
      },
    );
  const firstClient = openClient();
  // Where a new token ends the others, that of the round may have ended.
  const isShared = token !== undefined && probe.anyToken === true && disturbed === undefined;
  const first = await run(
    firstClient,
    isShared ? withToken(firstClient.client, token) : firstClient.client,
  );
  if (first.findings.length === 0) return first;
  await firstClient.end();
  const secondClient = openClient();
  // Getting no token violates a clause, unless the credentials or the address are wrong by now.
  if (first.findings.some(({ clause }) => clause === 'TOKEN-1'))
    await checkJudgeable(secondClient.client, account, target.settingNames);
  const second = await run(secondClient, withTokenTries(secondClient.client));
  return keepConfirmed(first, second);
}

/** The same service, with several tries for a token: known to be right, the credentials lock no account. */
const withTokenTries = (service: Service): Service =>
  withChanges(service, (inner) => ({ issue: (account) => retryToken(() => inner.issue(account)) }));

function keepConfirmed(first: ProbeResult, second: ProbeResult): ProbeResult {
  const findings = second.findings.filter(({ clause }) =>
    first.findings.some((finding) => finding.clause === clause),
  );
  if (findings.length > 0 || second.findings.length === 0) return { ...second, findings };
  const { unproven = 'two attempts found different violations' } = second;
  return { ...second, findings, outcome: 'passed', unproven };
}
