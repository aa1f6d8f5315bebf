import type { Confirmations } from '../confirmation.ts';
import type { Finding } from '../finding.ts';
import { type ApiClient, NoToken, type Service } from '../http/client.ts';
import type { Endpoint } from '../http/request.ts';
import { Unreachable } from '../http/unreachable.ts';
import { isIntrusive, needsClock, type Probe, type Stage } from '../probe.ts';
import { type Clock, ClockMoved } from '../time/clock.ts';
import { checkClockMoves } from '../time/clock-check.ts';
import type { Timeline } from '../time/timeline.ts';
import { type AttemptContext, attempt, type ProbeResult, present } from './attempt.ts';
import { accountEnded, disturbance, disturbEachOther, endedTokens } from './disturbance.ts';
import { orAborted } from './interruption.ts';
import { withLivingToken } from './living-token.ts';
import { endpointsFor } from './scope.ts';
import type { RoundOptions, Target } from './target.ts';
import { noteUnfit } from './token-answers.ts';
import { afterTokens, reissuesTokens, type TokenSource, type Turn, turnsOf } from './turns.ts';

/** What a round provides to its stages. */
export interface RoundContext extends RoundOptions {
  readonly client: ApiClient;
  /** The client's service, which sends interrupted requests again. */
  readonly service: Service;
  readonly confirmations: Confirmations;
  readonly time: Timeline | undefined;
  readonly checkAlive: (unexpected?: number) => Promise<void>;
  /** Whether the provider has stopped answering properly: its answers from then on mean nothing. */
  readonly hasStopped: () => boolean;
  /** Filled as probes end. */
  readonly results: ProbeResult[];
}

/** A due run of a probe: on one endpoint, or once. */
interface Run {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
}

/**
 * Runs probes in stages. First come the probes that the others depend on. Probes in any order run concurrently, and
 * probes that need days share one timeline. Then probes that may disturb others run one by one. Probes with wrong
 * credentials follow, because they may lock an account, and a locked account gets no token. Probes that need weeks and
 * years run at the end, because a lock ends by then and the account may end too (OPEN-10).
 * @throws ClockError
 */
export async function runStages(
  target: Target,
  probes: readonly Probe[],
  context: RoundContext,
): Promise<void> {
  const { time, results } = context;
  const runs = probes
    .flatMap((probe) => runsOf(probe, target))
    .filter(({ probe }) => time !== undefined || !needsClock(probe));
  const of = (stage: Stage): Run[] => runs.filter(({ probe }) => probe.stage === stage);
  const runFirst = probeRunner(target, context, runs.length);
  for (const run of of('first')) await runFirst(run, present);
  const runProbe = probeRunner(target, context, runs.length);
  // Tokens that invalidate each other are used one at a time: that known fault must not hide others.
  const alone = disturbEachOther(results) || target.concurrency === 1;
  // After an abort the round does not wait: a probe that was interrupted may never end.
  const all = (due: readonly Run[]) =>
    orAborted(context.signal, Promise.all(due.map((run) => runProbe(run, present))));
  for (const due of alone ? of('present').map((run) => [run]) : [of('present')]) await all(due);

  const timed = of('simulated');
  const long = of('years');
  const turns = await beginTime(target, context, { alone, due: timed.length + long.length > 0 });
  await runTimed(turns(timed), runProbe, context);

  for (const stage of ['disturbing', 'wrong-credentials'] as const) {
    if (of(stage).length > 0) await endTokens(time);
    for (const run of of(stage)) await all([run]);
  }
  if (of('wrong-credentials').length > 0) await checkCredentialsWork(target, context);
  await runTimed(turns(long), runProbe, context);
  addFrequent(context);
}

/** Lets the tokens so far expire: they may fill a limit on living ones. @throws ClockError */
async function endTokens(time: Timeline | undefined): Promise<void> {
  await time?.run([], afterTokens(time));
}

/** Runs one probe in a provider's time. */
type RunProbe = (run: Run, clock: Clock) => Promise<void>;

/** Begins simulated time, and finds out in which turns probes can use it. @throws ClockError */
async function beginTime(
  target: Target,
  context: RoundContext,
  { alone, due }: { readonly alone: boolean; readonly due: boolean },
): Promise<(runs: readonly Run[]) => Turn<Run>[]> {
  const { time } = context;
  if (time === undefined || !due) return () => [];
  const again = await reissuesTokens(time, tokensOf(context), target.account);
  await checkClock(target, context);
  return (runs) => turnsOf(runs, { alone, again });
}

/**
 * Runs the probes of each turn together on one timeline.
 * @throws ClockError
 */
async function runTimed(
  turns: readonly Turn<Run>[],
  runProbe: RunProbe,
  context: RoundContext,
): Promise<void> {
  const { time, results } = context;
  const before = results.length;
  try {
    for (const { runs, newTokens } of turns) {
      if (time === undefined || runs.length === 0) continue;
      const sequences = runs.map((run) => (clock: Clock) => runProbe(run, clock));
      await time.run(sequences, newTokens ? afterTokens(time) : undefined);
    }
  } catch (error) {
    if (error instanceof ClockMoved) results.length = before;
    throw error;
  }
}

const tokensOf = ({ service, client }: RoundContext): TokenSource => ({
  issue: service.issue,
  issued: client.issued,
});

/**
 * A refusal of wrong credentials proves something only if the right ones still get a token: a locked account gets
 * none in any case.
 */
async function checkCredentialsWork({ account }: Target, context: RoundContext): Promise<void> {
  const { results, service } = context;
  const error = await service.issue(account).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return;
  if (!(error instanceof NoToken || error instanceof Unreachable)) throw error;
  const why = error instanceof Unreachable ? `${lockedOut}: ${error.message}` : lockedOut;
  for (const [index, result] of results.entries())
    if (isIntrusive(result.probe)) results[index] = { ...result, unproven: result.unproven ?? why };
}

const lockedOut = 'after wrong credentials no token was given any more';

/** Adds the findings of accidents that were too frequent. */
function addFrequent({ results, confirmations, client, hasStopped }: RoundContext): void {
  // The accidents may be those of the outage.
  if (hasStopped()) return;
  const isDue = results.some(({ probe }) => probe.clauses.includes('TOKEN-1'));
  const isFound = results.some(({ findings }) =>
    findings.some(({ clause }) => clause === 'TOKEN-1'),
  );
  if (isDue && !isFound) noteUnfit(confirmations, client.issued, client.scrub);
  for (const finding of confirmations.tooOften()) addFinding(results, finding);
}

/** Adds a finding of the round as a whole to the result of the probe that saw it first. */
function addFinding(results: ProbeResult[], finding: Finding): void {
  const index = results.findIndex(
    ({ probe, endpoint }) => probe.name === finding.probe && endpoint === finding.endpoint,
  );
  const result = results[index];
  if (result !== undefined)
    results[index] = { ...result, outcome: 'failed', findings: [...result.findings, finding] };
}

/** A function that runs one probe, and reports its outcome. @param total how many runs there are */
function probeRunner(target: Target, context: RoundContext, total: number) {
  const { client, results, confirmations, time } = context;
  // The results are not searched again in each run: with many endpoints there are thousands of runs.
  const before = results.filter(({ findings }) => findings.length > 0);
  let ended: string | undefined;
  let locked: string | undefined;
  const tokensStopped = (): string | undefined => locked ?? accountEnded(time?.simulated());
  return async ({ probe, endpoint }: Run, clock: Clock): Promise<void> => {
    context.signal?.throwIfAborted();
    if (context.hasStopped()) return;
    const { account, endpoints } = target;
    const disturbed =
      probe.stage === 'first'
        ? undefined
        : (disturbance(before, endpoint) ?? (clock === present ? ended : undefined));
    const attemptContext: AttemptContext = {
      scrub: client.scrub,
      simulated: clock !== present,
      tokensStopped,
      confirmations,
      checkAlive: context.checkAlive,
      disturbed,
    };
    const world = { account, endpoint, endpoints, service: context.service, clock };
    if (isIntrusive(probe)) locked = lockedOut;
    const run = () => attempt(probe, world, attemptContext);
    const tokens = tokensOf(context);
    const result = clock === present ? await withLivingToken(run, tokens, account) : await run();
    // An aborted run has no result.
    context.signal?.throwIfAborted();
    if (isIntrusive(probe)) locked = lockedOut;
    results.push(result);
    ended ??= endedTokens(result);
    context.onOutcome?.(result, total);
  };
}

/** Checks that a clock that moves the provider's process is followed. @throws ClockError */
async function checkClock(target: Target, { time, service }: RoundContext): Promise<void> {
  const { account, clock, endpoints } = target;
  if (clock?.movesProcess !== true) return;
  await time?.run([
    (own) => checkClockMoves(clock, { service, account, endpoint: endpoints[0] }, own),
  ]);
}

const runsOf = (probe: Probe, { endpoints }: Target): Run[] =>
  endpointsFor(probe, endpoints).map((endpoint) => ({ probe, endpoint }));
