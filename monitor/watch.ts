import type { Probe } from '../contract/probe.ts';
import { type History, history } from './history.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { type Pace, type ProbeSlot, slotsOf, type WatchedTarget } from './plan.ts';
import { type Run, type Runner, runnerFor } from './run.ts';
import { schedule } from './schedule.ts';
import { standingOf } from './standing.ts';
import { type Kept, type Status, statusOf } from './status.ts';
import { type Drive, drive, type Timers } from './timers.ts';

export interface WatchOptions {
  readonly targets: readonly WatchedTarget[];
  /** All of them: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  readonly pace: Pace;
  /** Runs at once, over all targets. */
  readonly atOnce: number;
  readonly version: string;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly timers?: Timers;
}

/** Targets being watched. */
export interface Watch {
  start(): void;
  status(): Status;
  /** @returns whether all runs have ended within that time */
  drain(withinMs: number): Promise<boolean>;
}

interface Watched extends Kept {
  readonly histories: Map<string, History>;
  readonly run: Runner;
}

/**
 * One run at a time against one target: where a provider lets only the newest token live, two at once would end each
 * other's tokens, and clauses would be accused that are kept.
 */
const atOncePerTarget = 1;

/** Watches targets: what a run comes to goes to the metrics, the history and the log, and nowhere back. */
export function watch(options: WatchOptions): Watch {
  const { targets, probes, pace, version, metrics, log } = options;
  const startedAt = Date.now();
  const watched = new Map(
    targets.map((target) => [target.name, prepare(target, probes, pace, startedAt)]),
  );
  for (const { target, histories, standing } of watched.values()) {
    metrics.expect(target.name, [...histories.keys()]);
    metrics.verdicts(target.name, standing.verdicts());
  }

  function record({ standing, histories }: Watched, run: Run): void {
    const { probe } = run.outcome;
    const changes = standing.take(run);
    histories.get(probe.name)?.add(run);
    const latest = standing.latest().filter(({ outcome }) => outcome.probe === probe);
    metrics.ran(
      run,
      latest.every(({ outcome }) => outcome.ending === 'kept'),
    );
    if (changes.some(({ is }) => is === 'verdict'))
      metrics.verdicts(run.target, standing.verdicts());
    for (const change of changes) log.changed(run.target, change);
    if (run.outcome.ending === 'defect') log.defect(run);
  }

  async function run(slot: ProbeSlot, lagMs: number): Promise<void> {
    const one = watched.get(slot.target);
    if (one === undefined) return;
    metrics.began(lagMs / 1000);
    const disturbed = one.standing.disturbed(slot.probe, slot.endpoint);
    record(
      one,
      await one.run(slot.probe, slot.endpoint, disturbed === undefined ? {} : { disturbed }),
    );
  }

  const plan = schedule(
    [...watched.values()].flatMap(({ slots }) => [...slots]),
    {
      atOnce: options.atOnce,
      atOncePerTarget,
      onMissed: metrics.missed,
    },
  );
  let driven: Drive | undefined;
  let draining = false;
  return {
    start() {
      driven ??= drive(plan, run, options.timers);
    },
    status: () => ({
      version,
      startedAt: new Date(startedAt),
      now: new Date(),
      draining,
      runs: plan.tally(),
      targets: [...watched.values()].map(statusOf),
    }),
    async drain(withinMs) {
      draining = true;
      return (await driven?.drain(withinMs)) ?? true;
    },
  };
}

function prepare(
  target: WatchedTarget,
  probes: readonly Probe[],
  pace: Pace,
  startedAt: number,
): Watched {
  const slots = slotsOf(target, probes, pace);
  return {
    target,
    slots,
    standing: standingOf(slots, probes, startedAt),
    histories: new Map(slots.map(({ probe }) => [probe.name, history()])),
    run: runnerFor(target, { recheckMs: pace.periodSeconds * 1000 }),
  };
}
