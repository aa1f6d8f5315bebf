import type { Time } from '../schedule/time.ts';
import { type Exchange, type Reading, read } from '../token-age/age.ts';

/** A `Date` has whole seconds, and may be a second old: a smaller difference is not significant. */
const allowanceMs = 3_000;

/**
 * What is known of the provider's time, from the `Date` of its answers. Only a `Date` can show that the whole
 * machine was stopped. Servers behind one address may have different clocks. Then a `Date` is behind an earlier
 * one, which a stop cannot explain, and ages are known less exactly.
 */
export class ProviderClock {
  readonly #time: Time;
  /** How far the latest `Date` is ahead of the uptime. The uptime includes sleep, and is never ahead of real time. */
  #ahead: number | undefined;
  #differenceMs = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /**
   * Sends a request, and reads the clocks before and after it. Errors of `send` are passed on.
   * @param dated returns the `Date` of the latest answer
   */
  async timed<Result>(
    dated: () => number | undefined,
    send: () => Promise<Result>,
  ): Promise<{ readonly result: Result } & Exchange> {
    const s = read(this.#time, this.#now());
    const result = await send();
    const r = read(this.#time, dated());
    this.#observe({ s, r });
    return { result, s, r };
  }

  /** The greatest difference between the servers' clocks that was observed (milliseconds). */
  get differenceMs(): number {
    return this.#differenceMs;
  }

  /** Takes over a difference that an earlier process observed. */
  recall(differenceMs: number): void {
    this.#differenceMs = Math.max(this.#differenceMs, differenceMs);
  }

  /** A reading whose `Date` is ahead by the observed difference between the servers' clocks. */
  widened(reading: Reading): Reading {
    if (reading.provider === undefined) return reading;
    return { ...reading, provider: reading.provider + this.#differenceMs };
  }

  /** The provider's time is this or later, because the last answer may be hours old. */
  #now(): number | undefined {
    return this.#ahead === undefined ? undefined : this.#time.uptime() + this.#ahead;
  }

  /** Applies the `Date` of an exchange, if it had one. */
  #observe({ s, r }: Exchange): void {
    if (r.provider === undefined) return;
    // It was stamped between the request and the answer.
    const behind = this.#ahead === undefined ? 0 : this.#ahead - (r.provider - s.uptime);
    if (behind > allowanceMs) this.#differenceMs = Math.max(this.#differenceMs, behind);
    this.#ahead = r.provider - r.uptime;
  }
}
