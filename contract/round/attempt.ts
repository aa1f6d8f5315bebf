import type { Finding, Observation } from '../finding.ts';
import { outline } from '../http/answer.ts';
import { NoToken } from '../http/client.ts';
import { type Endpoint, endpointName, tokenEndpointName } from '../http/request.ts';
import { Unsendable } from '../http/request-encoding.ts';
import { type Reason, Unreachable } from '../http/unreachable.ts';
import type { Judge, JudgeContext } from '../judge.ts';
import type { Probe, World } from '../probe.ts';
import { startJudge } from '../probe-judge.ts';
import { printable } from '../secrets/printable.ts';
import { type Clock, ClockError } from '../time/clock.ts';
import { TokenReusedError } from './new-tokens.ts';

/** How a run of a probe can end: only `broken` says anything against the provider. */
export const endings = ['kept', 'broken', 'unreachable', 'defect'] as const;

export type Ending = (typeof endings)[number];

/** What one run of one probe came to. All texts are free of secrets. */
export interface Outcome {
  readonly probe: Probe;
  readonly endpoint: string;
  readonly ending: Ending;
  readonly findings: readonly Finding[];
  readonly observations: readonly Observation[];
  /** Why the probe proves nothing although it may have broken nothing. */
  readonly unproven?: string;
  /** For `unreachable`. */
  readonly reason?: Reason;
  /** For `unreachable`, `defect` and `broken` without a finding: one line. */
  readonly detail?: string;
  readonly durationSeconds: number;
}

/** The payload is not as its owner's own schema says: no clause is broken by that. @param message free of its values */
export class PayloadMismatchError extends Error {}

/** What an attempt needs beside the world. */
export interface AttemptContext extends JudgeContext {
  /** Why an answer to valid credentials that holds no token is not a breach any more; undefined while it is one. */
  readonly tokensStopped?: () => string | undefined;
}

/**
 * Runs a probe once, and turns whatever happens into one of the four endings. It never throws, but for the test
 * clock's errors.
 */
export async function attempt(
  probe: Probe,
  world: Omit<World, 'judge'>,
  circumstances: AttemptContext,
): Promise<Outcome> {
  const endpoint = reportedEndpoint(probe, world.endpoint);
  const [judge, record, confirmed] = startJudge(probe.name, endpoint, circumstances);
  const clock = confirming(world.clock, confirmed);
  const startedAt = performance.now();
  let failure: Failure | undefined;
  try {
    await world.service.connection(
      (service) => probe.run({ ...world, service, clock, judge }),
      // What the others are compared with has new connections, which show how long it takes to open one.
      probe.order === 'first' ? 'apart' : 'shared',
    );
    await confirmed();
  } catch (error) {
    if (error instanceof ClockError) throw error;
    // What ended the run explains also why an answer could not be asked for again.
    await confirmed().catch(() => {});
    failure = failureOf(error, probe, judge, circumstances);
    await confirmed().catch(() => {});
  }
  const { findings, observations, unproven } = record;
  return {
    probe,
    endpoint,
    findings,
    observations,
    unproven,
    durationSeconds: (performance.now() - startedAt) / 1000,
    ...(failure ?? { ending: findings.length > 0 ? 'broken' : 'kept' }),
    ...(failure?.ending === 'unreachable' && findings.length > 0
      ? { ending: 'broken' as const }
      : {}),
  };
}

/** The endpoint that an outcome names. */
export const reportedEndpoint = (probe: Probe, endpoint: Endpoint): string =>
  probe.once === true ? tokenEndpointName : endpointName(endpoint);

type Failure = Pick<Outcome, 'ending' | 'reason' | 'detail'>;

/** What ended a run; undefined where the judge was told, and the run counts by its findings. */
function failureOf(
  error: unknown,
  probe: Probe,
  judge: Judge,
  { scrub, tokensStopped }: AttemptContext,
): Failure | undefined {
  if (error instanceof NoToken) {
    const stopped = tokensStopped?.();
    const message = {
      reason: 'the credentials are valid',
      expected: error.expected,
      received: outline(error.answer),
    };
    if (stopped === undefined) judge.broken(probe.withoutToken ?? 'TOKEN-1', error.answer, message);
    judge.unproven(stopped ?? 'no token was issued');
    return undefined;
  }
  if (error instanceof Unsendable || error instanceof TokenReusedError) {
    judge.unproven(error.message);
    return undefined;
  }
  if (error instanceof PayloadMismatchError)
    return { ending: 'broken', detail: scrub(error.message) };
  if (error instanceof Unreachable)
    return { ending: 'unreachable', reason: error.reason, detail: scrub(error.message) };
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { ending: 'defect', detail: printableLines(scrub(stack)) };
}

/** The clock of a probe whose judge may still ask: time stands still until it has its answers. */
const confirming = (clock: Clock, confirmed: () => Promise<void>): Clock => ({
  now: clock.now,
  pass: (ms) => confirmed().then(() => clock.pass(ms)),
  until: (instant) => confirmed().then(() => clock.until(instant)),
  together: (lives) =>
    confirmed().then(() =>
      clock.together(lives.map((live) => (own) => live(confirming(own, confirmed)))),
    ),
});

/** The lines of a stack stay lines: an error may quote the provider. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

const noClock = (): Promise<never> =>
  Promise.reject(new Error('this probe does not say that it needs a clock'));

/** The clock of a probe that runs in the present. */
export const present: Clock = { now: Date.now, pass: noClock, until: noClock, together: noClock };
