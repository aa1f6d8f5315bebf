import { isNumber } from '../../contract/http/answer.ts';
import { type Drive, drive } from '../schedule/drive.ts';
import { Schedule } from '../schedule/schedule.ts';
import { vigil } from '../schedule/suspend-detector.ts';
import { realTime } from '../schedule/time.ts';
import { StateOpenError } from '../state/opening.ts';
import { readAhead } from '../state/read-ahead.ts';
import { retention } from '../state/tally.ts';
import type { TargetState } from '../target/contract-status.ts';
import type { Pace, WatchedTarget } from '../target/plan.ts';
import type { Brief, Status } from './status.ts';
import { type MonitorContext, type MonitorSlot, type Watched, watched } from './watched.ts';

export interface WatchOptions extends Omit<MonitorContext, 'plan' | 'discard' | 'vigil' | 'time'> {
  readonly targets: readonly WatchedTarget[];
  readonly pace: Pick<Pace, 'periodSeconds' | 'seed'>;
  /** Runs at once that have just begun, over all targets. */
  readonly concurrency: number;
  readonly version: string;
  readonly time?: MonitorContext['time'];
}

/** Targets being watched. */
export interface Watch {
  start(): void;
  /** @param only the name of the one target that is asked for */
  status(only?: string): Status;
  /** The same in short, for what is asked often. */
  brief(): Brief;
  /**
   * From now on these are watched. A target that is as it was goes on undisturbed.
   * @throws CannotOpen when the state file cannot be read; nothing is changed then
   */
  retarget(targets: readonly WatchedTarget[]): void;
  /** @param listener called after each run, and when targets come or go @returns takes it back */
  onChange(listener: () => void): () => void;
  /** Nothing begins any more; what is known is written down. @returns whether all runs have ended within that time */
  drain(withinMs: number): Promise<boolean>;
}

/**
 * One run at a time against one target: where a provider lets only the newest token live, two at once would end each
 * other's tokens, and clauses would be accused that are kept.
 */
const atOncePerTarget = 1;

/** How often what has happened is written down. */
const flushMs = 1_000;

/** How often what is too old is taken away. */
const tidyMs = 3_600_000;

/** At the start every probe runs once soon, spread by so much for each of them, so that the first picture is whole. */
const openingMs = 50;

/** Watches targets. */
export function watch(options: WatchOptions): Watch {
  const { version, metrics, log, state, time = realTime, pace } = options;
  const startedAt = time.wall();
  const all = new Map<string, Watched>();
  const listeners = new Set<() => void>();
  const plan = new Schedule<MonitorSlot>([], {
    concurrency: options.concurrency,
    atOncePerTarget,
    onMissed: metrics.missed,
  });
  /** What is planned for a target, so that it can be taken out again. */
  const planned = new Map<string, Set<MonitorSlot>>();
  let driven: Drive<MonitorSlot> | undefined;
  let draining = false;
  /** Whether `/metrics` leaves the targets out, as far as the log says. */
  let isCrowded = false;

  function add(slot: MonitorSlot): void {
    if (draining || !all.has(slot.target)) return;
    planned.get(slot.target)?.add(slot);
    plan.add(slot);
  }

  const context: MonitorContext = {
    ...options,
    time,
    plan(slot) {
      add(slot);
      driven?.wake();
    },
    discard: (slot) => plan.discard(slot),
    vigil: vigil(time),
  };

  function begin(
    target: WatchedTarget,
    opening: number,
    remembered: MonitorContext['state'],
  ): void {
    const now = time.monotonic();
    const paced = { ...pace, openingMs: opening, now };
    const one = watched(target, paced, { ...context, state: remembered });
    all.set(target.name, one);
    planned.set(target.name, new Set());
    for (const slot of one.slots) add(slot);
  }

  function end(name: string): void {
    for (const slot of planned.get(name) ?? []) plan.remove(slot);
    all.get(name)?.retire();
    planned.delete(name);
    all.delete(name);
    metrics.forget(name);
  }

  function retarget(targets: readonly WatchedTarget[]): void {
    const same = (target: WatchedTarget): boolean => {
      const before = all.get(target.name)?.target;
      return before !== undefined && isSame(before, target);
    };
    const staying = new Set(targets.filter(same).map(({ name }) => name));
    const coming = targets.filter(({ name }) => !staying.has(name));
    const ahead = readAhead(
      state,
      coming.map(({ name }) => name),
    );
    for (const name of [...all.keys()]) if (!staying.has(name)) end(name);
    const opening = openingMs * targets.length * options.probes.length;
    for (const target of coming) begin(target, opening, ahead.state);
    ahead.release();
    metrics.states(counts());
    if (driven !== undefined) noteOmitted();
    driven?.wake();
    publishChange();
  }

  function publishChange(): void {
    for (const listener of listeners) listener();
  }

  /** Says that `/metrics` has no series of targets any more, or has them again. */
  function noteOmitted(): void {
    if (metrics.crowded() === isCrowded) return;
    isCrowded = !isCrowded;
    const [count, number] = [all.size, metrics.series()];
    log.note(
      isCrowded
        ? `/metrics no longer lists the ${count} targets, which may have ${number} series, above the limit of 10,000: scrape /sd instead`
        : `/metrics lists all ${count} targets again`,
    );
  }

  function counts(): Record<TargetState, number> {
    const found = { waiting: 0, holds: 0, broken: 0, unreachable: 0, partly: 0, unverified: 0 };
    for (const one of all.values()) found[one.brief().state] += 1;
    return found;
  }

  async function run(slot: MonitorSlot, lagMs: number): Promise<void> {
    metrics.began(lagMs / 1000);
    await all.get(slot.target)?.run(slot);
    if (slot.timing.period === Number.POSITIVE_INFINITY) planned.get(slot.target)?.delete(slot);
    publishChange();
  }

  let cancel = (): void => {};
  let problem: string | undefined;
  let tidyAt = time.monotonic() + tidyMs;

  /** What cannot be read now is forgotten later. */
  function forgetLongGone(): void {
    try {
      for (const name of state.targets())
        if (!all.has(name) && isLongGone(state, name, time)) state.forget(name);
    } catch (error) {
      if (!(error instanceof StateOpenError)) throw error;
    }
  }

  /** Writes down what has happened, again and again. */
  function write(): void {
    if (time.monotonic() < tidyAt) state.flush();
    else {
      forgetLongGone();
      state.tidy(time.wall());
      tidyAt = time.monotonic() + tidyMs;
    }
    const now = state.problem();
    if (now !== problem) log.state(now);
    problem = now;
    metrics.state({ writable: now === undefined, failures: state.failures() });
    metrics.states(counts());
    for (const [name, one] of all) metrics.maintained(name, one.brief().maintenance !== undefined);
    cancel = time.after(flushMs, write);
  }

  retarget(options.targets);
  return {
    start() {
      if (driven !== undefined) return;
      driven = drive(plan, run, time);
      noteOmitted();
      write();
    },
    retarget,
    status: (only) => ({
      version,
      startedAt: new Date(startedAt),
      now: new Date(time.wall()),
      draining,
      runs: plan.tally(),
      ...(metrics.crowded() ? { omittedSeries: metrics.series() } : {}),
      targets: [...all.values()]
        .filter(({ target }) => only === undefined || target.name === only)
        .map((one) => one.status()),
    }),
    brief: () => ({ draining, targets: [...all.values()].map((one) => one.brief()) }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async drain(withinMs) {
      draining = true;
      publishChange();
      const drained = (await driven?.drain(withinMs)) ?? true;
      cancel();
      state.flush();
      return drained;
    },
  };
}

/** Whether nothing ran against a target for 30 days: a file that names it no more may name it again tomorrow. */
const isLongGone = (
  state: MonitorContext['state'],
  name: string,
  time: MonitorContext['time'],
): boolean =>
  Math.max(...[...state.entries(name, 'slot').values()].filter(isNumber)) <
  time.wall() - retention.events;

/** What a target is, its credentials aside. */
const likeness = ({ account: _, ...target }: WatchedTarget): string => JSON.stringify(target);

const isSame = (one: WatchedTarget, other: WatchedTarget): boolean =>
  likeness(one) === likeness(other) &&
  one.account.apiKey.equals(other.account.apiKey) &&
  one.account.secretKey.equals(other.account.secretKey);
