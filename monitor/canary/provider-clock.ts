import type { Time } from '../loop/time.ts';
import { type Exchange, type Reading, read } from './age.ts';
import type { ClockDifference } from './canary.ts';

/** A `Date` has whole seconds, and may be a second old: a smaller difference is not significant. */
const allowanceMs = 3_000;

/**
 * What is known of the provider's time, from the `Date` of its answers. Only a `Date` can show that the whole
 * machine was stopped. Servers behind one address may have different clocks. Then a `Date` is behind an earlier
 * one, which a stop cannot explain, and the ages of the tokens of that time are known less exactly.
 */
export class ProviderClock {
  readonly #time: Time;
  /** How far the latest `Date` is ahead of the uptime. The uptime includes sleep, and is never ahead of real time. */
  #ahead: number | undefined;
  /** The latest last. Each is smaller than those before it: no other matters. */
  #differences: readonly ClockDifference[] = [];

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

  /** The greatest difference between the servers' clocks that was observed since then. @param since uptime */
  differenceSince(since: number): ClockDifference | undefined {
    return this.#differences.find(({ at }) => at >= since);
  }

  /** Takes over a difference that an earlier process observed. One of an earlier boot has another uptime. */
  recall(difference: ClockDifference | undefined): void {
    if (difference !== undefined && difference.at <= this.#time.uptime()) this.#add(difference);
  }

  #add(one: ClockDifference): void {
    if (this.#differences.some(({ ms, at }) => ms >= one.ms && at >= one.at)) return;
    this.#differences = [
      ...this.#differences.filter(({ ms, at }) => ms > one.ms || at > one.at),
      one,
    ].sort((earlier, later) => earlier.at - later.at);
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
    if (behind > allowanceMs) this.#add({ ms: behind, at: r.uptime });
    this.#ahead = r.provider - r.uptime;
  }
}

/** A reading whose `Date` is ahead by the observed difference between the servers' clocks. */
export const widened = (
  { provider, ...reading }: Reading,
  difference: ClockDifference | undefined,
): Reading => ({
  ...reading,
  provider: provider === undefined ? undefined : provider + (difference?.ms ?? 0),
});
