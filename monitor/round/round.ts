import { type Service, withToken } from '../../contract/http/client.ts';
import { withTokenTries } from '../../contract/http/retry.ts';
import { attempt, type ProbeResult, present } from '../../contract/round/attempt.ts';
import { accountFor } from '../../contract/round/disturbance.ts';
import { checkAlive, checkJudgeable } from '../../contract/round/preflight.ts';
import type { Token } from '../../contract/secrets/secret.ts';
import { realTime, type Time } from '../loop/time.ts';
import type { Due } from './agenda.ts';
import type { Place } from './plan.ts';
import { type Run, runWithoutResult, withReason } from './run.ts';
import type { TracedClient } from './traced-client.ts';
import type { WatchedTarget } from './watched-target.ts';

export interface RoundOptions {
  /** Opens a client of the target, which knows these secrets. */
  readonly open: (secrets?: readonly Token['secret'][]) => TracedClient;
  /** Called with each run as it ends. */
  readonly onRun: (run: Run, place: Place) => void;
  /** Why a valid token may be refused at a place, by what is known when its run begins. */
  readonly disturbed: (place: Place) => string | undefined;
  /** Whether no further run must begin. */
  readonly isStopped?: () => boolean;
  readonly time?: Pick<Time, 'wall'>;
}

/**
 * Runs probes one after another with one token. If the provider issues no token, or answers 429, the
 * round sends nothing more. It never throws.
 * @returns how many requests that took
 */
export async function runRound(
  target: WatchedTarget,
  due: readonly Due[],
  options: RoundOptions,
): Promise<number> {
  const { open, onRun, isStopped, time = realTime } = options;
  if (due.length === 0) return 0;
  const { client, observed } = open();
  const startedAt = time.wall();
  let token: Token | undefined;
  try {
    token = await checkJudgeable(client, target.account, target.settingNames);
  } catch (error) {
    const seconds = (time.wall() - startedAt) / 1000;
    for (const { place } of due)
      onRun(
        { startedAt, ...observed(), ...runWithoutResult(error, place, seconds, client.scrub) },
        place,
      );
    return client.requests();
  }
  let requests = client.requests();
  for (const dueRun of due) {
    if (isStopped?.() === true) break;
    const run = await runPlace(dueRun, { target, token, time, ...options });
    requests += run.requests;
    onRun(run, dueRun.place);
    if (run.reason === 'rate-limited') break;
  }
  return requests;
}

interface PlaceContext extends Pick<RoundOptions, 'open' | 'disturbed'> {
  readonly target: WatchedTarget;
  /** The round's token. */
  readonly token: Token | undefined;
  readonly time: Pick<Time, 'wall'>;
}

async function runPlace(due: Due, context: PlaceContext): Promise<Run> {
  const { token, time } = context;
  const clients: TracedClient[] = [];
  const open = (): TracedClient => {
    const opened = context.open(token === undefined ? [] : [token.secret]);
    clients.push(opened);
    return opened;
  };
  const startedAt = time.wall();
  const ended = await judgePlace(due, open, context).then(withReason, (error: unknown) => {
    const scrub = clients.at(-1)?.client.scrub ?? String;
    return runWithoutResult(error, due.place, (time.wall() - startedAt) / 1000, scrub);
  });
  await clients.at(-1)?.end();
  const requests = clients.reduce((sum, { client }) => sum + client.requests(), 0);
  return { ...ended, startedAt, processing: [], ...clients.at(-1)?.observed(), requests };
}

/**
 * A finding counts only if a second attempt with new tokens has it too. No request of the first outlives it.
 * @throws Unjudgeable @throws Unreachable
 */
async function judgePlace(
  { place, part }: Due,
  open: () => TracedClient,
  { target, token, disturbed }: PlaceContext,
): Promise<ProbeResult> {
  const { probe, endpoint } = place;
  const { endpoints } = target;
  const account = accountFor(probe, target);
  const guesses = { left: target.wrongCredentials ?? Number.POSITIVE_INFINITY };
  const why = disturbed(place);
  const run = ({ client }: TracedClient, service: Service): Promise<ProbeResult> =>
    attempt(
      probe,
      { service, account, guesses, endpoint, endpoints, clock: present },
      {
        disturbed: why,
        part,
        scrub: client.scrub,
        simulated: false,
        checkAlive: () => checkAlive(client, account, endpoint),
      },
    );
  const opened = open();
  // Where a new token ends the others, that of the round may have ended.
  const isShared = token !== undefined && probe.anyToken === true && why === undefined;
  const first = await run(opened, isShared ? withToken(opened.client, token) : opened.client);
  if (first.findings.length === 0) return first;
  await opened.end();
  const again = open();
  // Getting no token violates a clause, unless the credentials or the address are wrong by now.
  const isAboutTokens = ({ clause }: { clause: string }): boolean =>
    clause === 'TOKEN-1' || clause === probe.withoutToken;
  if (first.findings.some(isAboutTokens))
    await checkJudgeable(again.client, account, target.settingNames);
  const second = await run(again, withTokenTries(again.client));
  return keepConfirmed(first, second);
}

function keepConfirmed(first: ProbeResult, second: ProbeResult): ProbeResult {
  const findings = second.findings.filter(({ clause }) =>
    first.findings.some((finding) => finding.clause === clause),
  );
  if (findings.length > 0 || second.findings.length === 0) return { ...second, findings };
  const { unproven = 'two attempts found different violations' } = second;
  return { ...second, findings, outcome: 'passed', unproven };
}
