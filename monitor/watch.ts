import { days } from '../contract/durations.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { realTime, type Time } from './loop/time.ts';
import type { WatchedTarget } from './round/watched-target.ts';
import type { MonitorView } from './status/view.ts';
import { Watched, type WatchedContext } from './watched.ts';

export interface WatchOptions extends Omit<WatchedContext, 'time' | 'onMissed'> {
  readonly targets: readonly WatchedTarget[];
  readonly time?: Time;
}

/** Each target delays the first rounds of the others by this time, so that they do not start at once. */
const openingMs = 1_000;

/** Within this time, a target that is missing in the file may return. */
const rememberedMs = days(30);

/** Watches all targets: starts, replaces and stops a `Watched` for each. */
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
    for (const watched of this.#watched.values()) watched.start();
  }

  view(): Omit<MonitorView, 'version' | 'own'> {
    return {
      startedAt: this.#startedAt,
      now: this.#context.time.wall(),
      draining: this.#isDraining,
      missedTicks: this.#missedTicks,
      targets: [...this.#watched.values()].map((watched) => watched.view()),
    };
  }

  /** From now on these targets are watched. A target that did not change is not interrupted. */
  retarget(targets: readonly WatchedTarget[]): void {
    const { store, time } = this.#context;
    const changedTargets = targets.filter(
      (target) => !isSame(target, this.#watched.get(target.name)?.target),
    );
    // What is known of a target that changes is stored before its new watcher reads it.
    for (const { name } of changedTargets) this.#watched.get(name)?.save();
    const newWatched = changedTargets.map(
      (target) => new Watched(target, openingMs * changedTargets.length, this.#context),
    );
    const names = new Set(targets.map(({ name }) => name));
    for (const [name, watched] of this.#watched)
      if (!names.has(name)) {
        void watched.retire();
        this.#watched.delete(name);
      }
    for (const watched of newWatched) {
      const { name } = watched.target;
      // One round of a target at a time: the earlier one may still be running.
      const ended = this.#watched.get(name)?.retire() ?? Promise.resolve();
      this.#watched.set(name, watched);
      if (this.#isStarted) void ended.then(() => watched.start());
    }
    store.forget(time.wall() - rememberedMs, names);
  }

  /** Starts no new runs. @returns whether all runs ended within that time */
  async drain(withinMs: number): Promise<boolean> {
    this.#isDraining = true;
    const ended = [...this.#watched.values()].map((watched) => watched.stop());
    const { promise: late, resolve } = Promise.withResolvers<boolean>();
    const giveUp = this.#context.time.after(withinMs, () => resolve(false));
    const drained = await Promise.race([Promise.all(ended).then(() => true), late]);
    giveUp();
    for (const watched of this.#watched.values()) watched.save();
    return drained;
  }
}

/** The configuration of a target without its certificates, of which a file may have hundreds. Secrets are hidden. */
const comparableText = ({ connection, ...target }: WatchedTarget): string =>
  JSON.stringify({ ...target, connection: { ...connection, ca: undefined } });

const credentialsOf = ({ account, secondAccount = account }: WatchedTarget): readonly Secret[] =>
  [account, secondAccount].flatMap(({ apiKey, secretKey }) => [apiKey, secretKey]);

const isSame = (next: WatchedTarget, current?: WatchedTarget): boolean =>
  current !== undefined &&
  next.connection.ca === current.connection.ca &&
  comparableText(next) === comparableText(current) &&
  credentialsOf(next).every((secret, index) => credentialsOf(current)[index]?.equals(secret));
