import { attempt, type Circumstances, type Outcome, present } from './attempt.ts';
import type { MustId } from './clauses.ts';
import { type Clock, ClockMoved, days } from './clock.ts';
import { checkClockMoves } from './clock-check.ts';
import { withLivingToken } from './living-token.ts';
import { newTokensOf } from './new-tokens.ts';
import type { Probe } from './probe.ts';
import type { RoundOptions, Target } from './round.ts';
import type { Door, Endpoint } from './service.ts';
import type { Timeline } from './timeline.ts';
import { givesTokensAgain, letTokensEnd, turnsOf } from './turns.ts';

/** What a round lends to its stages. */
export interface Loan extends RoundOptions {
  readonly door: Door;
  readonly time: Timeline | undefined;
  /** Filled as probes end. */
  readonly outcomes: Outcome[];
}

/** One run of a probe that is due: on one endpoint, or once. */
interface Run {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
}

/**
 * Runs probes in stages: what the others rest upon; what needs no order, many at once; what needs time, all on one
 * timeline; what may disturb others, one by one; and wrong credentials at the end, because they may lock an account.
 * @throws ClockError
 */
export async function runStages(
  target: Target,
  probes: readonly Probe[],
  loan: Loan,
): Promise<void> {
  const { time, outcomes } = loan;
  const runs = probes
    .flatMap((probe) => runsOf(probe, target))
    .filter(({ probe }) => time !== undefined || probe.needs !== 'clock');
  const of = (order: Probe['order'], needs?: 'clock'): Run[] =>
    runs.filter(({ probe }) => probe.order === order && probe.needs === needs);
  const wrong = of(undefined).filter(({ probe }) => probe.intrusive === true);
  const take = taking(target, loan, runs.length);

  for (const run of of('first')) await take(run, present);
  // Tokens that end one another are used one at a time from here on: the fault is known, and shall not hide others.
  const alone = outcomes.some(({ findings }) => findings.some(({ clause }) => shaking.has(clause)));

  await pool(
    alone ? 1 : target.atOnce,
    of(undefined).filter((run) => !wrong.includes(run)),
    (run) => take(run, present),
  );

  const timed = of(undefined, 'clock');
  if (time !== undefined && timed.length > 0) {
    const again = await givesTokensAgain(time, loan.door, target.account);
    await seeClockMove(target, loan.door, time);
    const before = outcomes.length;
    try {
      for (const { runs: together, newTokens } of turnsOf(timed, { alone, again })) {
        if (newTokens) await letTokensEnd(time);
        await time.run(together.map((run) => (clock: Clock) => take(run, clock)));
      }
    } catch (error) {
      if (error instanceof ClockMoved) outcomes.length = before;
      throw error;
    }
  }

  const last = of('last');
  if (time !== undefined && last.length + wrong.length > 0)
    await time.run([(clock) => clock.pass(days(2))]);
  for (const run of last) await take(run, present);
  await pool(alone ? 1 : target.atOnce, wrong, (run) => take(run, present));
}

/** Breaches of these disturb every other token. */
const shaking: ReadonlySet<MustId> = new Set(['EXPIRY-4', 'BEARER-6']);

/** Breaches of these disturb whatever is done at the same endpoint. */
const refusing: ReadonlySet<MustId> = new Set(['TOKEN-4', 'BEARER-1']);

/** Runs one probe, and reports it. */
function taking(target: Target, loan: Loan, total: number) {
  const { door, outcomes } = loan;
  let tokensStopped: string | undefined;
  return async ({ probe, endpoint }: Run, clock: Clock): Promise<void> => {
    loan.signal?.throwIfAborted();
    const { account, endpoints } = target;
    const disturbed =
      probe.order === 'first'
        ? undefined
        : (disturbance(outcomes, endpoint) ??
          (clock === present ? endedTokens(outcomes) : undefined));
    const circumstances: Circumstances = {
      scrub: door.scrub,
      simulated: clock !== present,
      ...(tokensStopped === undefined ? {} : { tokensStopped }),
      ...(disturbed === undefined ? {} : { disturbed }),
    };
    const aged =
      clock === present || probe.anyAge === true
        ? { service: door, clock }
        : newTokensOf(door, clock);
    const world = { account, endpoint, endpoints, ...aged };
    if (probe.intrusive === true)
      tokensStopped = 'after wrong credentials no token was given any more';
    const run = () => attempt(probe, world, circumstances);
    const outcome = clock === present ? await withLivingToken(run, door, account) : await run();
    // What was abandoned came to nothing.
    loan.signal?.throwIfAborted();
    if (probe.intrusive === true)
      tokensStopped = 'after wrong credentials no token was given any more';
    outcomes.push(outcome);
    loan.onOutcome?.(outcome, outcomes.length, total);
  };
}

/** Why a valid token may be refused at an endpoint, as the first stage has found. */
export function disturbance(
  outcomes: readonly Outcome[],
  { method, path }: Endpoint,
): string | undefined {
  const found = outcomes
    .filter(({ probe }) => probe.order === 'first')
    .flatMap(({ findings }) => findings)
    .find(
      ({ clause, endpoint }) =>
        shaking.has(clause) || (refusing.has(clause) && endpoint === `${method} ${path}`),
    );
  return found && `${found.clause} is broken, which may be why a valid token was refused`;
}

/** Why the tokens that are given when simulated time has passed may have ended. */
const endedTokens = (outcomes: readonly Outcome[]): string | undefined =>
  outcomes.some(({ findings }) => findings.some(({ clause }) => clause === 'EXPIRY-6'))
    ? 'EXPIRY-6 is broken, which may be why a token was refused'
    : undefined;

async function seeClockMove(target: Target, service: Door, time: Timeline): Promise<void> {
  const { account, clock, endpoints } = target;
  if (clock?.movesProcess !== true) return;
  await time.run([
    (own) => checkClockMoves(clock, { service, account, endpoint: endpoints[0] }, own),
  ]);
}

function runsOf(probe: Probe, { endpoints }: Target): Run[] {
  return probe.once === true
    ? [{ probe, endpoint: endpoints[0] }]
    : endpoints.map((endpoint) => ({ probe, endpoint }));
}

/** Runs tasks with at most so many at once. */
async function pool<Task>(
  atOnce: number,
  tasks: readonly Task[],
  run: (task: Task) => Promise<void>,
): Promise<void> {
  const queue = tasks.values();
  const worker = async (): Promise<void> => {
    for (const task of queue) await run(task);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, tasks.length) }, worker));
}
