import { hours } from '../../contract/time/clock.ts';
import type { Time } from '../loop/time.ts';
import { type Exchange, read } from './age.ts';
import type { ClockDifference } from './canary.ts';

/** A `Date` has whole seconds, and may be a second old: a smaller difference is not significant. */
const allowanceMs = 3_000;

/** How long a difference counts for tokens that are issued after it was observed. */
const countedMs = hours(24);

/**
 * What is known of the provider's time, from the `Date` of its answers. Only a `Date` can show that the whole
 * machine was stopped. Servers behind one address may have different clocks. Then a `Date` is behind an earlier
 * one, which a stop cannot explain, and the ages of the tokens of that time are known less exactly.
 */
export class ProviderClock {
  readonly #time: Time;
  /** How far the latest `Date` is ahead of the uptime. The uptime includes sleep, and is never ahead of real time. */
  #ahead: number | undefined;
  #differences: readonly ClockDifference[];

  /** @param differences that an earlier process observed. One of an earlier boot has another uptime */
  constructor(time: Time, differences: readonly ClockDifference[]) {
    this.#time = time;
    this.#differences = differences.filter(({ at }) => at <= time.uptime());
  }

  /** Sends a request, and reads the clocks before and after it. @param dated the `Date` of the latest answer */
  async timed<Result>(
    dated: () => number | undefined,
    send: () => Promise<Result>,
  ): Promise<{ readonly result: Result } & Exchange> {
    // The provider's time is this or later, because the last answer may be hours old.
    const provider = this.#ahead === undefined ? undefined : this.#time.uptime() + this.#ahead;
    const s = read(this.#time, provider);
    const result = await send();
    const r = read(this.#time, dated());
    this.#observe({ s, r });
    return { result, s, r };
  }

  /** The greatest difference between the servers' clocks that counts for a token. @param issuedAt uptime */
  differenceFor(issuedAt: number): ClockDifference | undefined {
    const [greatest] = this.#differences
      .filter(({ at }) => at >= issuedAt - countedMs)
      .toSorted((one, other) => other.ms - one.ms);
    return greatest;
  }

  /** Applies the `Date` of an exchange, if it had one. It was stamped between the request and the answer. */
  #observe({ s, r }: Exchange): void {
    if (r.provider === undefined) return;
    const ms = this.#ahead === undefined ? 0 : this.#ahead - (r.provider - s.uptime);
    if (ms > allowanceMs) {
      // Older ones count for no token that is younger than a day.
      const recent = this.#differences.filter(({ at }) => at >= r.uptime - 2 * countedMs);
      this.#differences = [...recent, { ms, at: r.uptime }];
    }
    this.#ahead = r.provider - r.uptime;
  }
}
