import type { Clock } from './clock.ts';

/** How sequences see the provider's time, and move it. */
export interface SharedTime {
  readonly now: () => number;
  /** Moves the provider's clock to an instant. */
  readonly jump: (to: number) => Promise<void>;
  /** Stops time at the current instant. */
  readonly signal: AbortSignal | undefined;
}

/** One sequence of instants: a probe, or one of several sequences that it runs at once. */
interface Life {
  /** Whether it is active at this instant. Then time does not move. */
  active: boolean;
  ended: boolean;
  /** What it waits for: an instant, or the end of its own sequences. */
  waits?: 'instant' | 'lives';
}

interface Waiter {
  readonly life: Life;
  readonly instant: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/** All sequences that share the provider's time. Time jumps when none of them is active at an instant. */
export class Lives {
  readonly #time: SharedTime;
  readonly #waiting = new Set<Waiter>();
  #active = 0;
  #jumping = false;

  constructor(time: SharedTime) {
    this.#time = time;
    time.signal?.addEventListener('abort', () => void this.#settle());
  }

  /** Registers a sequence. All are registered before any runs, so that the first wait does not move time for others. */
  enter<Result>(probe: (clock: Clock) => Promise<Result>, onEnd = () => {}): () => Promise<Result> {
    const life: Life = { active: false, ended: false };
    this.#set(life, true);
    return async () => {
      try {
        return await probe(new LifeClock(this, life));
      } finally {
        life.ended = true;
        for (const waiter of this.#waiting) if (waiter.life === life) this.#waiting.delete(waiter);
        this.#set(life, false);
        onEnd();
        void this.#settle();
      }
    };
  }

  now(): number {
    return this.#time.now();
  }

  /** Resolves when time is stopped at an instant. */
  async wait(life: Life, instant: number): Promise<void> {
    life.waits = 'instant';
    const woken = new Promise<void>((wake, fail) => {
      this.#waiting.add({ life, instant, wake, fail });
    });
    this.#set(life, false);
    void this.#settle();
    await woken.finally(() => delete life.waits);
  }

  /** Lets a sequence run several others, and ends with the last of them. */
  async divide(life: Life, lives: readonly ((clock: Clock) => Promise<void>)[]): Promise<void> {
    life.waits = 'lives';
    let left = lives.length;
    // The last of them activates this one again, so that time does not pass in between.
    const handBack = (): void => {
      left -= 1;
      if (left > 0) return;
      delete life.waits;
      if (!life.ended) this.#set(life, true);
    };
    const begun = lives.map((one) => this.enter(one, handBack));
    this.#set(life, false);
    await settled(begun.map((run) => run()));
  }

  #set(life: Life, active: boolean): void {
    if (life.active === active) return;
    life.active = active;
    this.#active += active ? 1 : -1;
  }

  #rouse(waiters: Iterable<Waiter>): Waiter[] {
    const roused = [...waiters];
    for (const waiter of roused) {
      this.#waiting.delete(waiter);
      this.#set(waiter.life, true);
    }
    return roused;
  }

  /** Jumps when no probe is active at this instant. */
  async #settle(): Promise<void> {
    const { signal } = this.#time;
    if (signal?.aborted === true)
      for (const { fail } of this.#rouse(this.#waiting)) fail(signal.reason);
    if (this.#active > 0 || this.#jumping || this.#waiting.size === 0) return;
    const nearest = Math.min(...[...this.#waiting].map(({ instant }) => instant));
    const due = this.#rouse([...this.#waiting].filter(({ instant }) => instant === nearest));
    this.#jumping = true;
    try {
      await this.#time.jump(nearest);
      for (const { wake } of due) wake();
    } catch (error) {
      for (const { fail } of [...due, ...this.#rouse(this.#waiting)]) fail(error);
    }
    this.#jumping = false;
    void this.#settle();
  }
}

/** A probe's view of the shared time. */
class LifeClock implements Clock {
  readonly #lives: Lives;
  readonly #life: Life;

  constructor(lives: Lives, life: Life) {
    this.#lives = lives;
    this.#life = life;
  }

  readonly now = (): number => this.#lives.now();

  pass(ms: number): Promise<void> {
    return this.until(this.now() + ms);
  }

  async until(instant: number): Promise<void> {
    this.#refuseSecond();
    if (!Number.isFinite(instant)) throw new Error(`${instant} is no instant`);
    if (instant === this.now()) return;
    if (instant < this.now()) throw new Error(`${iso(instant)} has gone by`);
    await this.#lives.wait(this.#life, instant);
  }

  async together(lives: readonly ((clock: Clock) => Promise<void>)[]): Promise<void> {
    this.#refuseSecond();
    if (lives.length > 0) await this.#lives.divide(this.#life, lives);
  }

  #refuseSecond(): void {
    const { ended, waits } = this.#life;
    if (ended) throw new Error('this probe has ended, and its clock with it');
    if (waits === undefined) return;
    throw new Error('a probe waits for one thing at a time: several lives are lived together()');
  }
}

export const iso = (instant: number): string => new Date(instant).toISOString();

/** Waits until all of them have ended, then throws the first error, if there is one. */
export async function settled<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
