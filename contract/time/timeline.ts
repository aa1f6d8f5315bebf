import { setTimeout } from 'node:timers/promises';
import { seconds } from '../durations.ts';
import { type Clock, ClockMovedError, nextWholeSecond, type SettableClock } from './clock.ts';

type Waiter = PromiseWithResolvers<void> & { readonly instant: number };

/** How long a clock is watched, to see whether it goes on running. */
const lookMs = 20;

/** A clock that goes on running is set again before a request, if it was set longer ago. */
const maxDriftMs = 250;

/**
 * Simulated time that many probes share: when all are waiting, the provider's clock jumps to the nearest of their
 * instants. So a hundred probes pass through ten years once, as if no other probe used the clock.
 */
export class Timeline {
  readonly #provider: SettableClock;
  readonly #signal: AbortSignal | undefined;
  readonly #notBefore: number;
  readonly #waiting = new Set<Waiter>();
  /** While probes are active, time does not move. */
  #active = 0;
  #isJumping = false;
  #jumps = 0;
  #now: number | undefined;
  /** When the provider's clock was last set, on our monotonic clock. */
  #setAt = 0;
  /** Of a clock that goes on running from where it was set; undefined for one that stands still. */
  #toleranceMs: number | undefined;
  /** Where simulated time began: the provider's clock was set. */
  #began: number | undefined;

  /**
   * @param signal stops time at the current instant: probes that wait for a later one stop waiting
   * @param notBefore the last instant of an earlier timeline (milliseconds since 1970): time only goes forward
   */
  constructor(provider: SettableClock, signal?: AbortSignal, notBefore = 0) {
    this.#provider = provider;
    this.#signal = signal;
    this.#notBefore = notBefore;
    signal?.addEventListener('abort', () => {
      for (const { reject } of this.#activate()) reject(signal.reason);
    });
  }

  readonly now = (): number => this.#now ?? Date.now();

  /** The instant at which the provider's clock is stopped; undefined while real time passes there. */
  readonly standing = (): number | undefined => this.#now;

  /** How much time was simulated so far (milliseconds): the provider's own time may be any. */
  readonly simulated = (): number => (this.#now ?? this.#began ?? 0) - (this.#began ?? 0);

  /**
   * Runs all of them from one instant, which is a whole second, and waits for the end of all.
   * @param earliest they begin at this instant or later (milliseconds since 1970)
   * @throws ClockMovedError when no finding counts, ClockError, and the signal's reason
   */
  async run<Result>(
    probes: readonly ((clock: Clock) => Promise<Result>)[],
    earliest = 0,
  ): Promise<Result[]> {
    this.#signal?.throwIfAborted();
    const start = Math.max(await this.#begin(), nextWholeSecond(earliest - 1));
    await this.#set(start);
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
    if (this.#began !== undefined) await this.#provider.release();
    this.#began = undefined;
    this.#now = undefined;
  }

  /**
   * Checks that time is where it was set, or has gone on from there: clocks skip dates, and other runs may move them.
   * @throws ClockMovedError, ClockError
   */
  async checkStanding(at = this.#now): Promise<void> {
    if (at === undefined) return;
    const shown = await this.#provider.read();
    const passedMs = performance.now() - this.#setAt;
    const maxMs = this.#toleranceMs === undefined ? 0 : passedMs + 1;
    if (shown < at || shown > at + maxMs)
      throw new ClockMovedError(
        `${this.#provider.name}: set to ${iso(at)} it shows ${iso(shown)}, but it must stay where it is set, or go on from there`,
      );
  }

  /** Sets a clock that goes on running back to the present instant, before a request. @throws ClockError */
  async hold(): Promise<void> {
    const isDue = performance.now() - this.#setAt > maxDriftMs;
    if (this.#toleranceMs !== undefined && this.#now !== undefined && isDue)
      await this.#set(this.#now);
  }

  async #set(instant: number): Promise<void> {
    const setAt = performance.now();
    await this.#provider.set(instant);
    this.#setAt = setAt;
  }

  /**
   * Stops the provider's clock a little ahead, so that a slow answer is no step back. If it goes on running, ages are
   * right within the drift between two settings, twice the time of a setting, and the second of a JWT's times.
   */
  async #begin(): Promise<number> {
    if (this.#now !== undefined) return nextWholeSecond(this.#now);
    const shown = Math.max(await this.#provider.read(), this.#notBefore);
    this.#began = nextWholeSecond(shown + seconds(10));
    const before = this.#began - 1;
    await this.#set(before);
    const tookMs = performance.now() - this.#setAt;
    await setTimeout(lookMs);
    if ((await this.#provider.read()) >= before + lookMs / 2)
      this.#toleranceMs = nextWholeSecond(seconds(1) + maxDriftMs + 2 * tookMs);
    await this.checkStanding(before);
    return this.#began;
  }

  /** Runs one probe with a clock of its own, which waits for one instant at a time. */
  async #enter<Result>(probe: (clock: Clock) => Promise<Result>): Promise<Result> {
    const until = async (instant: number): Promise<void> => {
      if (instant < this.now()) throw new Error(`${iso(instant)} has gone by`);
      this.#signal?.throwIfAborted();
      if (instant === this.now()) return;
      const waiter = { instant, ...Promise.withResolvers<void>() };
      this.#waiting.add(waiter);
      void this.#leave();
      await waiter.promise;
    };
    const pass = (ms: number) => until(this.now() + ms);
    try {
      return await probe({ now: this.now, until, pass, toleranceMs: this.#toleranceMs });
    } finally {
      void this.#leave();
    }
  }

  /** One probe is not active any more. If none is, jumps to the nearest instant. */
  async #leave(): Promise<void> {
    this.#active -= 1;
    if (this.#isJumping) return;
    this.#isJumping = true;
    while (this.#active === 0 && this.#waiting.size > 0) {
      const nearest = Math.min(...[...this.#waiting].map(({ instant }) => instant));
      const due = this.#activate(({ instant }) => instant === nearest);
      try {
        this.#jumps += 1;
        // Far away each look at the clock is a round trip.
        if (this.#jumps % 4 === 0) await this.checkStanding();
        await this.#set(nearest);
        this.#now = nearest;
        for (const { resolve } of due) resolve();
      } catch (error) {
        for (const { reject } of [...due, ...this.#activate()]) reject(error);
      }
    }
    this.#isJumping = false;
  }

  #activate(isDue: (waiter: Waiter) => boolean = () => true): Waiter[] {
    const due = [...this.#waiting].filter(isDue);
    for (const waiter of due) this.#waiting.delete(waiter);
    this.#active += due.length;
    return due;
  }
}

const iso = (instant: number): string => new Date(instant).toISOString();
