import type { Schedule, Slot, Start } from './schedule.ts';
import { realTime, type Time } from './time.ts';

/** Timers longer than 24.8 days fire at once (Node), so no timer is longer than this. */
const longestMs = 3_600_000;

/** Runs a slot. `lagMs` is the delay after the earliest possible start. It must not throw. */
type RunSlot<S extends Slot> = (slot: S, lagMs: number) => Promise<void>;

/** Drives a schedule from now on. */
export function drive<S extends Slot>(...of: ConstructorParameters<typeof Drive<S>>): Drive<S> {
  const driven = new Drive(...of);
  driven.wake();
  return driven;
}

/** A running schedule: it sleeps until the next instant, and starts what is due. */
export class Drive<S extends Slot> {
  readonly #schedule: Schedule<S>;
  readonly #run: RunSlot<S>;
  readonly #time: Pick<Time, 'monotonic' | 'after'>;
  readonly #running = new Set<Promise<void>>();
  #isDraining = false;
  #cancel = (): void => {};

  constructor(
    schedule: Schedule<S>,
    run: RunSlot<S>,
    time: Pick<Time, 'monotonic' | 'after'> = realTime,
  ) {
    this.#schedule = schedule;
    this.#run = run;
    this.#time = time;
  }

  /** Runs one step of the schedule: at the start, and after a slot was added. */
  wake(): void {
    const at = this.#time.monotonic();
    for (const start of this.#schedule.step(at)) this.#begin(start, at);
    // A run that started in this step may have planned another, and set a timer for it.
    this.#cancel();
    if (this.#isDraining) return;
    const next = this.#schedule.nextAt();
    if (next === undefined) return;
    const inMs = Math.min(Math.max(next - at, 0), longestMs);
    this.#cancel = this.#time.after(inMs, () => this.wake());
  }

  /** Starts no new runs. @returns whether all runs ended within that time */
  async drain(withinMs: number): Promise<boolean> {
    this.#isDraining = true;
    this.#schedule.drain();
    this.wake();
    const drained = Promise.all(this.#running).then(() => true);
    let giveUp = (): void => {};
    const late = new Promise<boolean>((resolve) => {
      giveUp = this.#time.after(withinMs, () => resolve(false));
    });
    return Promise.race([drained, late]).finally(giveUp);
  }

  #begin({ slot, readyAt }: Start<S>, at: number): void {
    const done: Promise<void> = this.#run(slot, at - readyAt).finally(() => {
      this.#running.delete(done);
      this.#schedule.finished(slot, this.#time.monotonic());
      this.wake();
    });
    this.#running.add(done);
  }
}
