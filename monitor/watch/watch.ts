import { type Drive, drive } from '../schedule/drive.ts';
import { Schedule } from '../schedule/schedule.ts';
import { vigil } from '../schedule/suspend-detector.ts';
import { realTime } from '../schedule/time.ts';
import { readAhead } from '../state/read-ahead.ts';
import type { TargetState } from '../target/contract-status.ts';
import type { Pace } from '../target/plan.ts';
import type { WatchedTarget } from '../target/watched-target.ts';
import type { MonitorContext, MonitorSlot } from './monitor-context.ts';
import { RetentionClock } from './retention-clock.ts';
import { StateWriter } from './state-writer.ts';
import type { Brief, Status } from './status.ts';
import { Watched } from './watched.ts';

export interface WatchOptions
  extends Omit<MonitorContext, 'plan' | 'discard' | 'vigil' | 'time' | 'retention'> {
  readonly targets: readonly WatchedTarget[];
  readonly pace: Pick<Pace, 'periodSeconds' | 'seed'>;
  /** The most runs that start at once, over all targets. */
  readonly concurrency: number;
  readonly version: string;
  readonly time?: MonitorContext['time'];
  /** How often the state is written (milliseconds); by default every second. */
  readonly flushMs?: number;
}

/**
 * One run at a time against one target. If a provider accepts only the newest token, two concurrent runs would
 * invalidate each other's tokens and cause false findings.
 */
const atOncePerTarget = 1;

/**
 * At the start every probe runs once soon, spread by this time for each probe, so that the first status is
 * complete.
 */
const openingMs = 50;

export class Watch {
  readonly #options: WatchOptions;
  readonly #context: MonitorContext;
  readonly #startedAt: number;
  readonly #schedule: Schedule<MonitorSlot>;
  readonly #writer: StateWriter;
  /** By their names. */
  readonly #watched = new Map<string, Watched>();
  /** The planned runs of each target, so that they can be removed. */
  readonly #planned = new Map<string, Set<MonitorSlot>>();
  readonly known = () => [...this.#watched.values()].map((one) => one.known());
  #drive: Drive<MonitorSlot> | undefined;
  #isDraining = false;
  /** Whether the log has reported that `/metrics` omits the targets. */
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
      retention: new RetentionClock({ state: options.state, time }),
    };
    this.#writer = new StateWriter(this.#context);
    this.retarget(options.targets);
  }

  start(): void {
    if (this.#drive !== undefined) return;
    const run = (slot: MonitorSlot, lagMs: number) => this.#run(slot, lagMs);
    this.#drive = drive(this.#schedule, run, this.#context.time);
    this.#noteOmitted();
    this.#tick();
  }

  /** @param only the name of the one requested target */
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

  /** The short form, for frequent requests. */
  brief(): Brief {
    const targets = [...this.#watched.values()].map((one) => one.brief());
    return { draining: this.#isDraining, targets };
  }

  /**
   * From now on these targets are watched. A target that did not change is not interrupted.
   * @throws StateOpenError when the state file cannot be read; then nothing is changed
   */
  retarget(targets: readonly WatchedTarget[]): void {
    const { probes, metrics } = this.#options;
    const staying = new Set(targets.filter((one) => this.#isWatched(one)).map(({ name }) => name));
    const coming = targets.filter(({ name }) => !staying.has(name));
    const names = coming.map(({ name }) => name);
    const ahead = readAhead(this.#context.state, names);
    for (const name of [...this.#watched.keys()]) if (!staying.has(name)) this.#end(name);
    const opening = openingMs * coming.length * probes.length;
    for (const target of coming) this.#begin(target, opening, ahead.state);
    ahead.release();
    metrics.states(this.#counts());
    if (this.#drive !== undefined) this.#noteOmitted();
    this.#drive?.wake();
  }

  /** Starts no new runs, and stores the state. @returns whether all runs ended within that time */
  async drain(withinMs: number): Promise<boolean> {
    this.#isDraining = true;
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
    const paced = { ...this.#options.pace, openingMs: opening, now };
    const one = new Watched(target, paced, { ...this.#context, state: remembered });
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
    await this.#watched.get(slot.target)?.run(slot);
    if (slot.timing.period === Number.POSITIVE_INFINITY)
      this.#planned.get(slot.target)?.delete(slot);
  }

  /** Writes the state repeatedly. */
  #tick(): void {
    const { metrics, flushMs = 1_000 } = this.#options;
    this.#writer.write(this.#watched);
    metrics.states(this.#counts());
    for (const [name, one] of this.#watched)
      metrics.maintained(name, one.brief().maintenance !== undefined);
    this.#cancelTick = this.#context.time.after(flushMs, () => this.#tick());
  }

  /** Reports that `/metrics` omits the series of targets, or lists them again. */
  #noteOmitted(): void {
    const { metrics, log } = this.#options;
    if (metrics.crowded() === this.#isCrowded) return;
    this.#isCrowded = !this.#isCrowded;
    const count = this.#watched.size;
    const number = metrics.series().toLocaleString('en');
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

/** The configuration of a target without its credentials and certificates, of which a file may have hundreds. */
const likeness = ({ account: _, connection, ...target }: WatchedTarget): string =>
  JSON.stringify({ ...target, connection: { ...connection, ca: undefined } });

const isSame = (one: WatchedTarget, other: WatchedTarget): boolean =>
  one.connection.ca === other.connection.ca &&
  likeness(one) === likeness(other) &&
  one.account.apiKey.equals(other.account.apiKey) &&
  one.account.secretKey.equals(other.account.secretKey);
