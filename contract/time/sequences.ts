import type { Clock, Sequence } from './clock.ts';

/** How sequences see the provider's time, and move it. */
export interface SharedTime {
  readonly now: () => number;
  /** Moves the provider's clock to an instant. */
  readonly jump: (to: number) => Promise<void>;
  /** Stops time at the current instant. */
  readonly signal: AbortSignal | undefined;
}

/** The state of one sequence: a probe, or one of several sequences that it runs at once. */
interface SequenceState {
  /** Whether it is active at this instant. Then time does not move. */
  active: boolean;
  ended: boolean;
  /** What it waits for: an instant, or the end of its own sequences. */
  waits?: 'instant' | 'sequences';
}

interface Waiter {
  readonly sequence: SequenceState;
  readonly instant: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/** All sequences that share the provider's time. Time jumps when none of them is active at an instant. */
export class Sequences {
  readonly #time: SharedTime;
  readonly #waiting = new Set<Waiter>();
  #active = 0;
  #jumping = false;

  constructor(time: SharedTime) {
    this.#time = time;
    time.signal?.addEventListener('abort', () => void this.#settle());
  }

  /**
   * Registers a sequence. All are registered before any runs, so that the first wait does not move time for others.
   * @returns a function that runs it
   */
  enter<Result>(run: (clock: Clock) => Promise<Result>, onEnd = () => {}): () => Promise<Result> {
    const sequence: SequenceState = { active: false, ended: false };
    this.#set(sequence, true);
    return async () => {
      try {
        return await run(new SequenceClock(this, sequence));
      } finally {
        sequence.ended = true;
        for (const waiter of this.#waiting)
          if (waiter.sequence === sequence) this.#waiting.delete(waiter);
        this.#set(sequence, false);
        onEnd();
        void this.#settle();
      }
    };
  }

  now(): number {
    return this.#time.now();
  }

  /** Resolves when time is stopped at an instant. */
  async wait(sequence: SequenceState, instant: number): Promise<void> {
    sequence.waits = 'instant';
    const woken = new Promise<void>((wake, fail) => {
      this.#waiting.add({ sequence, instant, wake, fail });
    });
    this.#set(sequence, false);
    void this.#settle();
    await woken.finally(() => delete sequence.waits);
  }

  /** Lets a sequence run several others, and ends with the last of them. */
  async divide(sequence: SequenceState, inner: readonly Sequence[]): Promise<void> {
    sequence.waits = 'sequences';
    let left = inner.length;
    // The last of them activates this one again, so that time does not pass in between.
    const handBack = (): void => {
      left -= 1;
      if (left > 0) return;
      delete sequence.waits;
      if (!sequence.ended) this.#set(sequence, true);
    };
    const begun = inner.map((one) => this.enter(one, handBack));
    this.#set(sequence, false);
    await settled(begun.map((run) => run()));
  }

  #set(sequence: SequenceState, active: boolean): void {
    if (sequence.active === active) return;
    sequence.active = active;
    this.#active += active ? 1 : -1;
  }

  #activate(waiters: Iterable<Waiter>): Waiter[] {
    const activated = [...waiters];
    for (const waiter of activated) {
      this.#waiting.delete(waiter);
      this.#set(waiter.sequence, true);
    }
    return activated;
  }

  /** Jumps when no sequence is active at this instant. */
  async #settle(): Promise<void> {
    const { signal } = this.#time;
    if (signal?.aborted === true)
      for (const { fail } of this.#activate(this.#waiting)) fail(signal.reason);
    if (this.#active > 0 || this.#jumping || this.#waiting.size === 0) return;
    const nearest = Math.min(...[...this.#waiting].map(({ instant }) => instant));
    const due = this.#activate([...this.#waiting].filter(({ instant }) => instant === nearest));
    this.#jumping = true;
    try {
      await this.#time.jump(nearest);
      for (const { wake } of due) wake();
    } catch (error) {
      for (const { fail } of [...due, ...this.#activate(this.#waiting)]) fail(error);
    }
    this.#jumping = false;
    void this.#settle();
  }
}

class SequenceClock implements Clock {
  readonly #all: Sequences;
  readonly #sequence: SequenceState;

  constructor(all: Sequences, sequence: SequenceState) {
    this.#all = all;
    this.#sequence = sequence;
  }

  readonly now = (): number => this.#all.now();

  pass(ms: number): Promise<void> {
    return this.until(this.now() + ms);
  }

  async until(instant: number): Promise<void> {
    this.#refuseSecond();
    if (!Number.isFinite(instant)) throw new Error(`${instant} is not an instant`);
    if (instant === this.now()) return;
    if (instant < this.now()) throw new Error(`${iso(instant)} has gone by`);
    await this.#all.wait(this.#sequence, instant);
  }

  async together(sequences: readonly Sequence[]): Promise<void> {
    this.#refuseSecond();
    if (sequences.length > 0) await this.#all.divide(this.#sequence, sequences);
  }

  #refuseSecond(): void {
    const { ended, waits } = this.#sequence;
    if (ended) throw new Error('this probe has ended, and its clock with it');
    if (waits === undefined) return;
    throw new Error('a probe waits for one thing at a time: run several sequences with together()');
  }
}

export const iso = (instant: number): string => new Date(instant).toISOString();

/** Waits until all of them have ended, then throws the first error, if there is one. */
export async function settled<Result>(all: readonly Promise<Result>[]): Promise<Result[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
