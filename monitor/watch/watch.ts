import { vigil } from '../loop/suspend-detector.ts';
import { realTime } from '../loop/time.ts';
import { readAhead } from '../state/read-ahead.ts';
import type { TargetState } from '../target/contract-status.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import type { MonitorContext } from './monitor-context.ts';
import { RetentionClock } from './retention-clock.ts';
import { StateWriter } from './state-writer.ts';
import type { Brief, Status } from './status.ts';
import { type Pace, Watched } from './watched.ts';

export interface WatchOptions extends Omit<MonitorContext, 'vigil' | 'time' | 'retention'> {
  readonly targets: readonly WatchedTarget[];
  readonly pace: Omit<Pace, 'openingMs'>;
  readonly version: string;
  readonly time?: MonitorContext['time'];
  /** How often the state is written (milliseconds); by default every second. */
  readonly flushMs?: number;
}

/** The first rounds of targets are spread by this time for each target. */
const openingMs = 1_000;

export class Watch {
  readonly #options: WatchOptions;
  readonly #context: MonitorContext;
  readonly #startedAt: number;
  readonly #writer: StateWriter;
  /** By their names. */
  readonly #watched = new Map<string, Watched>();
  readonly known = () => [...this.#watched.values()].map((one) => one.known());
  #isStarted = false;
  #isDraining = false;
  #cancelTick = (): void => {};

  /** @throws StateOpenError when the state file cannot be read */
  constructor(options: WatchOptions) {
    const { time = realTime, state } = options;
    this.#options = options;
    this.#startedAt = time.wall();
    this.#context = {
      ...options,
      time,
      vigil: vigil(time),
      retention: new RetentionClock({ state, time }),
    };
    this.#writer = new StateWriter(this.#context);
    this.retarget(options.targets);
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    for (const one of this.#watched.values()) one.start();
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
      missedTicks: metrics.missedTicks(),
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
    const { metrics } = this.#options;
    const staying = new Set(targets.filter((one) => this.#isWatched(one)).map(({ name }) => name));
    const coming = targets.filter(({ name }) => !staying.has(name));
    const names = coming.map(({ name }) => name);
    const ahead = readAhead(this.#context.state, names);
    const ended = new Map(
      [...this.#watched.keys()]
        .filter((name) => !staying.has(name))
        .map((name) => [name, this.#end(name)]),
    );
    for (const target of coming)
      this.#begin(target, coming.length, { state: ahead.state, after: ended.get(target.name) });
    ahead.release();
    metrics.states(this.#counts());
  }

  /** Starts no new runs, and stores the state. @returns whether all runs ended within that time */
  async drain(withinMs: number): Promise<boolean> {
    this.#isDraining = true;
    const ended = [...this.#watched.values()].map((one) => one.stop());
    let giveUp = (): void => {};
    const late = new Promise<boolean>((resolve) => {
      giveUp = this.#context.time.after(withinMs, () => resolve(false));
    });
    const drained = await Promise.race([Promise.all(ended).then(() => true), late]);
    giveUp();
    this.#cancelTick();
    this.#context.state.flush();
    return drained;
  }

  #isWatched(target: WatchedTarget): boolean {
    const before = this.#watched.get(target.name)?.target;
    return before !== undefined && isSame(before, target);
  }

  /** @param after when the runs of the same target have ended, as it was configured before */
  #begin(
    target: WatchedTarget,
    count: number,
    { state, after }: { state: MonitorContext['state']; after: Promise<void> | undefined },
  ): void {
    const pace = { ...this.#options.pace, openingMs: openingMs * count };
    const one = new Watched(target, pace, { ...this.#context, state });
    this.#watched.set(target.name, one);
    if (!this.#isStarted) return;
    if (after === undefined) one.start();
    else void after.then(() => one.start());
  }

  #end(name: string): Promise<void> | undefined {
    const one = this.#watched.get(name);
    one?.retire();
    this.#watched.delete(name);
    this.#options.metrics.forget(name);
    return one?.stop();
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
