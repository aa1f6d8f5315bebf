import { days } from '../contract/time/clock.ts';
import { realTime, type Time } from './loop/time.ts';
import type { WatchedTarget } from './round/watched-target.ts';
import type { MonitorView } from './status/view.ts';
import { Watched, type WatchedContext } from './watched.ts';

export interface WatchOptions extends Omit<WatchedContext, 'time' | 'onMissed'> {
  readonly targets: readonly WatchedTarget[];
  readonly time?: Time;
}

/** The first rounds of targets are spread by this time for each target. */
const openingMs = 1_000;

/** Within this time, a target that is missing in the file may return. */
const rememberedMs = days(30);

/** All targets that are watched. */
export class Watch {
  readonly #context: WatchedContext;
  readonly #startedAt: number;
  readonly #watched = new Map<string, Watched>();
  #missedTicks = 0;
  #isStarted = false;
  #isDraining = false;

  constructor(options: WatchOptions) {
    const { time = realTime } = options;
    this.#startedAt = time.wall();
    this.#context = {
      ...options,
      time,
      onMissed: (ticks) => {
        this.#missedTicks += ticks;
      },
    };
    this.retarget(options.targets);
  }

  start(): void {
    this.#isStarted = true;
    for (const one of this.#watched.values()) one.start();
  }

  view(): Omit<MonitorView, 'version' | 'own'> {
    return {
      startedAt: this.#startedAt,
      now: this.#context.time.wall(),
      draining: this.#isDraining,
      missedTicks: this.#missedTicks,
      targets: [...this.#watched.values()].map((one) => one.view()),
    };
  }

  /** From now on these targets are watched. A target that did not change is not interrupted. */
  retarget(targets: readonly WatchedTarget[]): void {
    const { store, time } = this.#context;
    const coming = targets.filter((one) => !isSame(one, this.#watched.get(one.name)?.target));
    // What is known of a target that changes is stored before its new watcher reads it.
    for (const { name } of coming) this.#watched.get(name)?.save();
    const begun = coming.map(
      (target) => new Watched(target, openingMs * coming.length, this.#context),
    );
    const names = new Set(targets.map(({ name }) => name));
    for (const [name, one] of this.#watched)
      if (!names.has(name)) {
        void one.retire();
        this.#watched.delete(name);
      }
    for (const one of begun) {
      const { name } = one.target;
      // One round of a target at a time: the earlier one may still be running.
      const ended = this.#watched.get(name)?.retire() ?? Promise.resolve();
      this.#watched.set(name, one);
      if (this.#isStarted) void ended.then(() => one.start());
    }
    store.forget(time.wall() - rememberedMs, names);
  }

  /** Starts no new runs. @returns whether all runs ended within that time */
  async drain(withinMs: number): Promise<boolean> {
    this.#isDraining = true;
    const ended = [...this.#watched.values()].map((one) => one.stop());
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const giveUp = this.#context.time.after(withinMs, () => resolve(false));
    const drained = await Promise.race([Promise.all(ended).then(() => true), late]);
    giveUp();
    for (const one of this.#watched.values()) one.save();
    return drained;
  }
}

/** The configuration of a target without its credentials and certificates, of which a file may have hundreds. */
const likeness = ({ account: _, connection, ...target }: WatchedTarget): string =>
  JSON.stringify({ ...target, connection: { ...connection, ca: undefined } });

const isSame = (one: WatchedTarget, other?: WatchedTarget): boolean =>
  other !== undefined &&
  one.connection.ca === other.connection.ca &&
  likeness(one) === likeness(other) &&
  one.account.apiKey.equals(other.account.apiKey) &&
  one.account.secretKey.equals(other.account.secretKey);
