import { attempt, type Circumstances, type Outcome, present } from './attempt.ts';
import { type Clock, ClockError, type SettableClock } from './clock.ts';
import { checkClockMoves } from './clock-check.ts';
import type { Observation } from './finding.ts';
import { pacing } from './pace.ts';
import { checkJudgeable, Unjudgeable } from './preflight.ts';
import type { Probe } from './probe.ts';
import type { Account } from './secret.ts';
import { type Door, type Endpoint, openDoor } from './service.ts';
import { type Timeline, timeline } from './timeline.ts';
import type { Wire } from './transport.ts';
import { Unreachable } from './unreachable.ts';
import { type ClauseVerdict, ledger, verdicts } from './verdict.ts';

/** A provider to be judged. */
export interface Target {
  readonly wire: Wire;
  readonly account: Account;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly clock?: SettableClock;
  /** Requests a second. */
  readonly perSecond?: number;
  /** How many probes run at once where order does not matter. */
  readonly atOnce: number;
  /** The longest that a 429 is waited out (milliseconds). */
  readonly patienceMs: number;
}

/** Everything that a round found out. */
export interface Round {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly clauses: readonly ClauseVerdict[];
  readonly outcomes: readonly Outcome[];
  readonly observations: readonly Observation[];
  readonly requests: number;
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
  /** Ends the round early; the provider's clock is let go all the same. */
  readonly signal?: AbortSignal;
}

/** One run of a probe that is due: on one endpoint, or once. */
interface Run {
  readonly probe: Probe;
  readonly endpoint: Endpoint;
}

const noTestClock = 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';

/**
 * Runs probes against a provider, in four stages: what the others rest upon; what needs no order, many at once;
 * what needs time, all on one timeline; and what may disturb others. Never throws for what a provider does.
 */
export async function judgeProvider(
  target: Target,
  probes: readonly Probe[],
  options: RoundOptions = {},
): Promise<Round> {
  const startedAt = new Date();
  const time = target.clock === undefined ? undefined : timeline(target.clock);
  const door = openDoor({
    wire: target.wire,
    pace: pacing({
      patienceMs: target.patienceMs,
      ...(target.perSecond === undefined ? {} : { perSecond: target.perSecond }),
    }),
    account: target.account,
    now: time?.now ?? Date.now,
  });
  const outcomes: Outcome[] = [];
  let unjudged: string | undefined;
  let notRun = time === undefined ? noTestClock : undefined;
  try {
    await target.clock?.read();
    const tokens = await checkJudgeable(door, target.account);
    if (!tokens) notRun = 'no token was issued';
    await stages(
      target,
      tokens ? probes : probes.filter(({ clauses }) => clauses.includes('TOKEN-1')),
      door,
      time,
      outcomes,
      options,
    );
  } catch (error) {
    if (
      !(error instanceof Unreachable || error instanceof ClockError || error instanceof Unjudgeable)
    )
      throw error;
    unjudged = door.scrub(error.message);
  } finally {
    await time?.release().catch((error: unknown) => {
      unjudged ??= error instanceof Error ? error.message : String(error);
    });
  }
  const clauses = verdicts(probes, outcomes, unjudged ?? notRun ?? 'the round ended before it');
  const partial = unjudged ?? unreachableIn(outcomes);
  return {
    startedAt,
    finishedAt: new Date(),
    clauses,
    outcomes,
    observations: ledger(outcomes),
    requests: door.requests(),
    exit: exitOf(outcomes, clauses, partial, options.strict === true),
    ...(partial === undefined ? {} : { unjudged: partial }),
    scrub: door.scrub,
  };
}

async function stages(
  target: Target,
  probes: readonly Probe[],
  door: Door,
  time: Timeline | undefined,
  outcomes: Outcome[],
  options: RoundOptions,
): Promise<void> {
  const runs = probes.flatMap((probe) => runsOf(probe, target));
  const timed = runs.filter(({ probe }) => probe.needs === 'clock');
  const untimed = runs.filter(({ probe }) => probe.needs === undefined);
  const total = time === undefined ? untimed.length : runs.length;
  let disturbed: string | undefined;
  let tokensStopped: string | undefined;

  async function take({ probe, endpoint }: Run, clock: Clock): Promise<void> {
    options.signal?.throwIfAborted();
    const { account, endpoints } = target;
    const circumstances: Circumstances = {
      scrub: door.scrub,
      simulated: clock !== present,
      ...(tokensStopped === undefined ? {} : { tokensStopped }),
      ...(disturbed === undefined ? {} : { disturbed }),
    };
    const outcome = await attempt(
      probe,
      { service: door, account, endpoint, endpoints, clock },
      circumstances,
    );
    outcomes.push(outcome);
    options.onOutcome?.(outcome, outcomes.length, total);
  }
  const inOrder = async (due: readonly Run[]): Promise<void> => {
    for (const run of due)
      await (run.probe.needs === 'clock'
        ? time?.run([(clock) => take(run, clock)])
        : take(run, present));
  };

  await inOrder(untimed.filter(({ probe }) => probe.order === 'first'));
  const shaken = outcomes
    .flatMap(({ findings }) => findings)
    .find(({ clause }) => clause === 'EXPIRY-4' || clause === 'BEARER-6');
  if (shaken !== undefined)
    disturbed = `${shaken.clause} is broken, which may be why a valid token was refused`;

  await pool(
    shaken === undefined ? target.atOnce : 1,
    untimed.filter(({ probe }) => probe.order === undefined),
    (run) => take(run, present),
  );

  const together = timed.filter(({ probe }) => probe.order === undefined);
  if (target.clock?.movesProcess && together.length > 0) {
    const { account, clock: file, endpoints } = target;
    const caller = { service: door, account, endpoint: endpoints[0] };
    await time?.run([(clock) => checkClockMoves(file, caller, clock)]);
  }
  if (shaken !== undefined) await inOrder(time === undefined ? [] : together);
  else if (together.length > 0) await time?.run(together.map((run) => (clock) => take(run, clock)));

  for (const run of runs.filter(({ probe }) => probe.order === 'last')) {
    await inOrder(time === undefined && run.probe.needs === 'clock' ? [] : [run]);
    if (run.probe.intrusive)
      tokensStopped = 'after wrong credentials the provider gave no token any more';
  }
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
