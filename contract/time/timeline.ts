import { type Clock, ClockMoved, nextWholeSecond, type SettableClock, seconds } from './clock.ts';

/** A probe that waits for an instant. */
interface Waiter {
  readonly instant: number;
  readonly wake: () => void;
  readonly fail: (error: unknown) => void;
}

/** One of so many jumps is preceded by a look at the clock: far away each look is a round trip. */
const jumpsBetweenChecks = 4;

/**
 * Simulated time that many probes share: each waits for its own instants, and when all are waiting the provider's
 * clock jumps to the nearest of them. So a hundred probes pass through ten years once, forward only, and the code of
 * each reads as if no other probe used the clock.
 */
export class Timeline {
  readonly #provider: SettableClock;
  readonly #signal: AbortSignal | undefined;
  readonly #notBefore: number;
  readonly #waiting = new Set<Waiter>();
  /** How many probes are active at this instant: then time does not move. */
  #active = 0;
  #isJumping = false;
  #jumps = 0;
  #now: number | undefined;
  #began = 0;
  #touched = false;

  /**
   * @param signal stops time at the current instant: probes that wait for a later one stop waiting
   * @param notBefore the last instant of an earlier timeline (milliseconds since 1970): time only goes forward
   */
  constructor(provider: SettableClock, signal?: AbortSignal, notBefore = 0) {
    this.#provider = provider;
    this.#signal = signal;
    this.#notBefore = notBefore;
    signal?.addEventListener('abort', () => this.#failAll(signal.reason));
  }

  readonly now = (): number => this.#now ?? Date.now();

  /** The instant at which the provider's clock is stopped; undefined while real time passes there. */
  readonly standing = (): number | undefined => this.#now;

  /** How much time was simulated so far (milliseconds): the provider's own time may be any. */
  readonly simulated = (): number => (this.#now === undefined ? 0 : this.#now - this.#began);

  /**
   * Runs all of them from one instant, which is a whole second, and waits for the end of all.
   * @param earliest they begin at this instant or later (milliseconds since 1970)
   * @throws ClockMoved when time was not stopped where it was set, so that no finding counts
   * @throws ClockError, and the signal's reason
   */
  async run<Result>(
    probes: readonly ((clock: Clock) => Promise<Result>)[],
    earliest = 0,
  ): Promise<Result[]> {
    this.#signal?.throwIfAborted();
    const start = Math.max(await this.#begin(), nextWholeSecond(earliest - 1));
    await this.#provider.set(start);
    this.#now = start;
    // All are active before any runs, so that the first wait does not move time for the others.
    this.#active = probes.length;
    const running = probes.map((probe) => this.#enter(probe));
    await Promise.allSettled(running);
    const results = await Promise.all(running);
    await this.checkStanding();
    return results;
  }

  /** Lets the provider's real time continue. */
  async release(): Promise<void> {
    if (this.#touched) await this.#provider.release();
    this.#touched = false;
    this.#now = undefined;
  }

  /**
   * Checks that time is stopped where it was set, if it was set. Some clocks skip dates that they do not know, and
   * another run may move this clock: then ages of tokens are wrong.
   * @throws ClockMoved, ClockError
   */
  async checkStanding(at = this.#now): Promise<void> {
    if (at === undefined) return;
    const shown = await this.#provider.read();
    if (shown !== at)
      throw new ClockMoved(
        `${this.#provider.name}: set to ${iso(at)} it shows ${iso(shown)}, but it must stay where it is set`,
      );
  }

  /**
   * Stops the provider's clock a little ahead, so that a slow answer is not a step back, and checks that it is
   * stopped there.
   */
  async #begin(): Promise<number> {
    if (this.#now !== undefined) return nextWholeSecond(this.#now);
    const now = Math.max(await this.#provider.read(), this.#notBefore);
    const start = nextWholeSecond(now + seconds(10));
    this.#touched = true;
    this.#began = start;
    await this.#provider.set(start - 1);
    await this.checkStanding(start - 1);
    return start;
  }

  /** Runs one probe with a clock of its own. */
  async #enter<Result>(probe: (clock: Clock) => Promise<Result>): Promise<Result> {
    let waiter: Waiter | undefined;
    let hasEnded = false;
    const until = async (instant: number): Promise<void> => {
      if (hasEnded) throw new Error('this probe has ended, and its clock with it');
      if (waiter !== undefined) throw new Error('a probe waits for one instant at a time');
      if (!Number.isFinite(instant)) throw new Error(`${instant} is not an instant`);
      if (instant < this.now()) throw new Error(`${iso(instant)} has gone by`);
      this.#signal?.throwIfAborted();
      if (instant === this.now()) return;
      const woken = new Promise<void>((wake, fail) => {
        waiter = { instant, wake, fail };
        this.#waiting.add(waiter);
      });
      this.#active -= 1;
      void this.#settle();
      await woken.finally(() => {
        waiter = undefined;
      });
    };
    try {
      return await probe({ now: this.now, until, pass: (ms) => until(this.now() + ms) });
    } finally {
      hasEnded = true;
      if (waiter === undefined || !this.#waiting.delete(waiter)) this.#active -= 1;
      void this.#settle();
    }
  }

  /** Jumps to the nearest instant when no probe is active at this one. */
  async #settle(): Promise<void> {
    if (this.#active > 0 || this.#isJumping || this.#waiting.size === 0) return;
    const nearest = Math.min(...[...this.#waiting].map(({ instant }) => instant));
    const due = this.#activate(({ instant }) => instant === nearest);
    this.#isJumping = true;
    try {
      this.#jumps += 1;
      if (this.#jumps % jumpsBetweenChecks === 0) await this.checkStanding();
      await this.#provider.set(nearest);
      this.#now = nearest;
      for (const { wake } of due) wake();
    } catch (error) {
      for (const { fail } of due) fail(error);
      this.#failAll(error);
    }
    this.#isJumping = false;
    void this.#settle();
  }

  #activate(isDue: (waiter: Waiter) => boolean): Waiter[] {
    const due = [...this.#waiting].filter(isDue);
    for (const waiter of due) this.#waiting.delete(waiter);
    this.#active += due.length;
    return due;
  }

  #failAll(reason: unknown): void {
    for (const { fail } of this.#activate(() => true)) fail(reason);
  }
}

const iso = (instant: number): string => new Date(instant).toISOString();
