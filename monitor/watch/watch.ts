import { type Drive, drive } from '../schedule/drive.ts';
import { Schedule } from '../schedule/schedule.ts';
import { vigil } from '../schedule/suspend-detector.ts';
import { realTime } from '../schedule/time.ts';
import { readAhead } from '../state/read-ahead.ts';
import type { TargetState } from '../target/contract-status.ts';
import type { Pace, WatchedTarget } from '../target/plan.ts';
import { StateWriter } from './state-writer.ts';
import type { Brief, Status } from './status.ts';
import { type MonitorContext, type MonitorSlot, type Watched, watched } from './watched.ts';

export interface WatchOptions extends Omit<MonitorContext, 'plan' | 'discard' | 'vigil' | 'time'> {
  readonly targets: readonly WatchedTarget[];
  readonly pace: Pick<Pace, 'periodSeconds' | 'seed'>;
  /** Runs at once that have just begun, over all targets. */
  readonly concurrency: number;
  readonly version: string;
  readonly time?: MonitorContext['time'];
  /** Over how long at most the overdue runs of a target that was watched before are spread (milliseconds). */
  readonly resumeMs?: number;
}

/**
 * One run at a time against one target: where a provider lets only the newest token live, two at once would end each
 * other's tokens, and clauses would be accused that are kept.
 */
const atOncePerTarget = 1;

/** How often what has happened is written down. */
const flushMs = 1_000;

/** At the start every probe runs once soon, spread by so much for each of them, so that the first picture is whole. */
const openingMs = 50;

/** Watches targets. */
export class Watch {
  readonly #options: WatchOptions;
  readonly #context: MonitorContext;
  readonly #startedAt: number;
  readonly #schedule: Schedule<MonitorSlot>;
  readonly #writer: StateWriter;
  readonly #listeners = new Set<() => void>();
  /** By their names. */
  readonly #watched = new Map<string, Watched>();
  /** What is planned for a target, so that it can be taken out again. */
  readonly #planned = new Map<string, Set<MonitorSlot>>();
  /** Targets that a run is under way on. */
  readonly #underWay = new Set<string>();
  #drive: Drive<MonitorSlot> | undefined;
  #isDraining = false;
  /** Whether `/metrics` leaves the targets out, as far as the log says. */
  #isCrowded = false;
  #cancelTick = (): void => {};

  /** @throws StateOpenError when the state file cannot be read */
  constructor(options: WatchOptions) {
    const { time = realTime, concurrency, metrics } = options;
    this.#options = options;
    this.#startedAt = time.wall();
    this.#schedule = new Schedule<MonitorSlot>([], {
      concurrency,
      atOncePerTarget,
      onMissed: (cause, count) => metrics.missed(cause, count),
    });
    this.#context = {
      ...options,
      time,
      plan: (slot) => {
        this.#add(slot);
        this.#drive?.wake();
      },
      discard: (slot) => this.#schedule.discard(slot),
      vigil: vigil(time),
    };
    this.#writer = new StateWriter(this.#context);
    this.retarget(options.targets);
  }

  start(): void {
    if (this.#drive !== undefined) return;
    this.#drive = drive(
      this.#schedule,
      (slot, lagMs) => this.#run(slot, lagMs),
      this.#context.time,
    );
    this.#noteOmitted();
    this.#tick();
  }

  /** @param only the name of the one target that is asked for */
  status(only?: string): Status {
    const { version, metrics } = this.#options;
    return {
      version,
      startedAt: new Date(this.#startedAt),
      now: new Date(this.#context.time.wall()),
      draining: this.#isDraining,
      runs: this.#schedule.tally(),
      ...(metrics.crowded() ? { omittedSeries: metrics.series() } : {}),
      targets: [...this.#watched.values()]
        .filter(({ target }) => only === undefined || target.name === only)
        .map((one) => one.status()),
    };
  }

  /** The same in short, for what is asked often. */
  brief(): Brief {
    const targets = [...this.#watched.values()].map((one) => one.brief());
    return { draining: this.#isDraining, targets };
  }

  /**
   * From now on these are watched. A target that is as it was goes on undisturbed.
   * @throws StateOpenError when the state file cannot be read; nothing is changed then
   */
  retarget(targets: readonly WatchedTarget[]): void {
    const { probes, metrics } = this.#options;
    const staying = new Set(targets.filter((one) => this.#isWatched(one)).map(({ name }) => name));
    const coming = targets.filter(({ name }) => !staying.has(name));
    const ahead = readAhead(
      this.#context.state,
      coming.map(({ name }) => name),
    );
    for (const name of [...this.#watched.keys()]) if (!staying.has(name)) this.#end(name);
    const opening = openingMs * coming.length * probes.length;
    for (const target of coming) this.#begin(target, opening, ahead.state);
    ahead.release();
    metrics.states(this.#counts());
    if (this.#drive !== undefined) this.#noteOmitted();
    this.#drive?.wake();
    this.#publishChange();
  }

  /** The state of a target that is watched. */
  stateOf(target: string): TargetState | undefined {
    return this.#watched.get(target)?.brief().state;
  }

  /** Whether no run on a target is under way. */
  isIdle(target: string): boolean {
    return !this.#underWay.has(target);
  }

  /** Writes down how old all young canaries are by now. */
  touch(): void {
    for (const one of this.#watched.values()) one.touch();
  }

  /** @param listener called after each run, and when targets come or go @returns takes it back */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Nothing begins any more; what is known is written down. @returns whether all runs have ended within that time */
  async drain(withinMs: number): Promise<boolean> {
    this.#isDraining = true;
    this.#publishChange();
    const drained = (await this.#drive?.drain(withinMs)) ?? true;
    this.#cancelTick();
    this.#context.state.flush();
    return drained;
  }

  #isWatched(target: WatchedTarget): boolean {
    const before = this.#watched.get(target.name)?.target;
    return before !== undefined && isSame(before, target);
  }

  #begin(target: WatchedTarget, opening: number, remembered: MonitorContext['state']): void {
    const now = this.#context.time.monotonic();
    const { pace, resumeMs = opening } = this.#options;
    const isKnown = remembered.entries(target.name, 'slot').size > 0;
    const paced = { ...pace, openingMs: isKnown ? Math.min(opening, resumeMs) : opening, now };
    const one = watched(target, paced, { ...this.#context, state: remembered });
    this.#watched.set(target.name, one);
    this.#planned.set(target.name, new Set());
    for (const slot of one.slots) this.#add(slot);
  }

  #end(name: string): void {
    for (const slot of this.#planned.get(name) ?? []) this.#schedule.remove(slot);
    this.#watched.get(name)?.retire();
    this.#planned.delete(name);
    this.#watched.delete(name);
    this.#options.metrics.forget(name);
  }

  #add(slot: MonitorSlot): void {
    if (this.#isDraining || !this.#watched.has(slot.target)) return;
    this.#planned.get(slot.target)?.add(slot);
    this.#schedule.add(slot);
  }

  async #run(slot: MonitorSlot, lagMs: number): Promise<void> {
    this.#options.metrics.began(lagMs / 1000);
    this.#underWay.add(slot.target);
    await this.#watched.get(slot.target)?.run(slot);
    this.#underWay.delete(slot.target);
    if (slot.timing.period === Number.POSITIVE_INFINITY)
      this.#planned.get(slot.target)?.delete(slot);
    this.#publishChange();
  }

  /** Writes down what has happened, again and again. */
  #tick(): void {
    const { metrics } = this.#options;
    this.#writer.write(this.#watched);
    metrics.states(this.#counts());
    for (const [name, one] of this.#watched)
      metrics.maintained(name, one.brief().maintenance !== undefined);
    this.#cancelTick = this.#context.time.after(flushMs, () => this.#tick());
  }

  #publishChange(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Says that `/metrics` has no series of targets any more, or has them again. */
  #noteOmitted(): void {
    const { metrics, log } = this.#options;
    if (metrics.crowded() === this.#isCrowded) return;
    this.#isCrowded = !this.#isCrowded;
    const [count, number] = [this.#watched.size, metrics.series()];
    log.note(
      this.#isCrowded
        ? `/metrics no longer lists the ${count} targets, which may have ${number} series, above the limit of 10,000: scrape /sd instead`
        : `/metrics lists all ${count} targets again`,
    );
  }

  #counts(): Record<TargetState, number> {
    const found = { waiting: 0, holds: 0, broken: 0, unreachable: 0, partly: 0, unverified: 0 };
    for (const one of this.#watched.values()) found[one.brief().state] += 1;
    return found;
  }
}

/** What a target is, its credentials aside. */
const likeness = ({ account: _, ...target }: WatchedTarget): string => JSON.stringify(target);

const isSame = (one: WatchedTarget, other: WatchedTarget): boolean =>
  likeness(one) === likeness(other) &&
  one.account.apiKey.equals(other.account.apiKey) &&
  one.account.secretKey.equals(other.account.secretKey);
