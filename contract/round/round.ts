import { Confirmations } from '../confirmation.ts';
import type { Observation } from '../finding.ts';
import { outline } from '../http/answer.ts';
import { type NoToken, openClient } from '../http/client.ts';
import { pacing } from '../http/pacing.ts';
import { type Endpoint, tokenPath } from '../http/request.ts';
import { Steadiness } from '../http/resending.ts';
import type { Connection, exchange } from '../http/transport.ts';
import { Stopped, Unreachable } from '../http/unreachable.ts';
import type { Probe } from '../probe.ts';
import type { Account } from '../secrets/secret.ts';
import { ClockError, type SettableClock } from '../time/clock.ts';
import { Timeline } from '../time/timeline.ts';
import { checkAlive } from './alive.ts';
import type { Outcome } from './attempt.ts';
import { checkJudgeable, Unjudgeable } from './preflight.ts';
import { runStages } from './stages.ts';
import { type Cause, type ClauseVerdict, ledger, verdicts } from './verdict.ts';

/** A provider to be judged. */
export interface Target {
  readonly connection: Connection;
  /** Another network than the real one. */
  readonly exchange?: typeof exchange;
  readonly account: Account;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly clock?: SettableClock;
  /** Requests a second. */
  readonly requestsPerSecond?: number;
  /** How many probes run at once where order does not matter. */
  readonly concurrency: number;
  /** The longest that a 429 is waited out (milliseconds). */
  readonly maxRetryAfterMs: number;
}

/** Accidents on the way between the gate and the provider. */
export interface Noise {
  /** Requests that the network interrupted, and that were sent again. */
  readonly interrupted: number;
  /** Unexpected answers that the provider did not give again. */
  readonly unrepeated: number;
}

/** Everything that a round found out. */
export interface Round {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly clauses: readonly ClauseVerdict[];
  readonly outcomes: readonly Outcome[];
  readonly observations: readonly Observation[];
  readonly requests: number;
  /** What was asked for again; absent where nothing ever is. */
  readonly noise?: Noise;
  readonly exit: 0 | 1 | 2 | 3;
  /** Why the provider could not be judged: one line. */
  readonly unjudged?: string;
  /** Takes the secrets of this round out of a text. */
  readonly scrub: (text: string) => string;
}

export interface RoundOptions {
  readonly strict?: boolean;
  /** Called after each run of a probe. */
  readonly onOutcome?: (outcome: Outcome, done: number, total: number) => void;
  /** Ends the round at once, by its reason; the provider's clock is let go all the same. */
  readonly signal?: AbortSignal;
}

const noTestClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

/**
 * Runs probes against a provider, stage by stage. Never throws for what a provider does.
 * @throws the reason of the signal
 */
export async function judgeProvider(
  target: Target,
  probes: readonly Probe[],
  options: RoundOptions = {},
): Promise<Round> {
  const startedAt = new Date();
  const { signal } = options;
  const ending = signal === undefined ? {} : { signal };
  const time = target.clock === undefined ? undefined : new Timeline(target.clock, signal);
  const client = openClient({
    connection: { ...target.connection, ...ending },
    pace: pacing({
      maxRetryAfterMs: target.maxRetryAfterMs,
      ...(time === undefined ? {} : { standing: time.standing }),
      ...ending,
      requestsPerSecond: target.requestsPerSecond,
    }),
    account: target.account,
    exchange: target.exchange,
    now: time?.now ?? Date.now,
  });
  const outcomes: Outcome[] = [];
  const life: { begun: boolean; stopped?: Stopped } = { begun: false };
  const seeAlive = async (): Promise<void> => {
    if (life.stopped !== undefined) throw life.stopped;
    if (!life.begun) return;
    await checkAlive(client, target.account, target.endpoints[0]).catch((error: unknown) => {
      if (error instanceof Stopped) life.stopped = error;
      throw error;
    });
  };
  const confirmations = new Confirmations(seeAlive);
  const steady = new Steadiness({
    onNoToken: seeAlive,
    onToken: (accident) => noteToken(confirmations, accident),
  });
  const service = steady.of(client);
  let unjudged: string | undefined;
  let cause: Cause = 'prevented';
  let notRun = time === undefined ? noTestClock : undefined;
  try {
    signal?.throwIfAborted();
    await orAborted(signal, target.clock?.read());
    const tokens = await checkJudgeable(service, target.account);
    life.begun = tokens;
    if (!tokens) notRun = 'no token was issued';
    const due = tokens ? probes : probes.filter(({ clauses }) => clauses.includes('TOKEN-1'));
    if (due.length === 0 && !tokens) unjudged = `${notRun}: npm run gate -- TOKEN-1 shows why`;
    const hasStopped = (): boolean => life.stopped !== undefined;
    const context = { client, service, confirmations, time, hasStopped, outcomes, ...options };
    await runStages(target, due, context);
    unjudged = life.stopped?.message ?? unjudged;
  } catch (error) {
    if (error instanceof Unjudgeable && error.reason !== 'unavailable') cause = 'unconfigured';
    if (isTheirs(error)) unjudged = client.scrub(error.message);
    else if (signal?.aborted !== true) throw scrubbed(error, client.scrub);
  } finally {
    await time?.release().catch((error: unknown) => {
      // The caller that ended the round must get the error too.
      if (signal?.aborted === true) throw error;
      unjudged ??= error instanceof Error ? error.message : String(error);
    });
  }
  if (signal?.aborted === true) throw scrubbed(signal.reason, client.scrub);
  const reason = unjudged ?? notRun ?? 'the round ended before it';
  if (reason === noTestClock) cause = 'unconfigured';
  const clauses = verdicts(probes, outcomes, { cause, reason }, target.endpoints.length);
  const partial = unjudged ?? unreachableIn(outcomes);
  return {
    startedAt,
    finishedAt: new Date(),
    clauses,
    outcomes,
    observations: ledger(outcomes),
    requests: client.requests(),
    noise: { interrupted: steady.interrupted(), unrepeated: confirmations.accidents },
    exit: exitOf(outcomes, clauses, partial, options.strict === true),
    unjudged: partial,
    scrub: client.scrub,
  };
}

/** Counts a token that was issued, and an answer before it that held none. */
function noteToken(confirmations: Confirmations, accident: NoToken | undefined): void {
  const of = { clause: 'TOKEN-1', endpoint: `POST ${tokenPath}` } as const;
  confirmations.count(of);
  if (accident === undefined) return;
  const { expected, answer } = accident;
  confirmations.excuse({
    ...of,
    probe: 'right-credentials-get-a-token',
    when: 'the credentials are valid',
    asked: of.endpoint,
    expected,
    received: outline(answer),
  });
}

/** What keeps a provider from being judged, and is no mistake of ours. */
const isTheirs = (error: unknown): error is Error =>
  error instanceof Unreachable || error instanceof ClockError || error instanceof Unjudgeable;

/** A mistake of ours, or why the round was ended, without what it may quote. */
function scrubbed(error: unknown, scrub: (text: string) => string): Error {
  const defect = error instanceof Error ? error : new Error(String(error));
  const { message, stack = message } = defect;
  defect.message = scrub(message);
  defect.stack = scrub(stack);
  return defect;
}

/** Waits for work, but not after the signal. */
async function orAborted(signal: AbortSignal | undefined, work: Promise<unknown> | undefined) {
  if (signal === undefined) return work;
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

function unreachableIn(outcomes: readonly Outcome[]): string | undefined {
  return outcomes.find(({ ending }) => ending === 'unreachable')?.detail;
}

function exitOf(
  outcomes: readonly Outcome[],
  clauses: readonly ClauseVerdict[],
  unjudged: string | undefined,
  strict: boolean,
): 0 | 1 | 2 | 3 {
  if (outcomes.some(({ ending }) => ending === 'defect')) return 3;
  if (clauses.some(({ verdict }) => verdict === 'violated')) return 1;
  if (unjudged !== undefined) return 2;
  return strict && clauses.some(({ verdict }) => verdict === 'unverified') ? 2 : 0;
}
