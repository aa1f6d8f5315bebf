import type { Time } from '../schedule/time.ts';
import type { Exchange, Reading } from './age.ts';

/** What is known of the provider's time, by the `Date` of its answers. */
export interface ProviderClock {
  /** Takes in the `Date` of an exchange, if it had one. */
  observe(exchange: Exchange): void;
  /** The provider's time is this or later: hours may have passed since anything was heard of it. */
  now(): number | undefined;
  /** A reading whose `Date` is ahead by as much as clocks of servers behind the address are seen to differ. */
  widened(reading: Reading): Reading;
}

/** A `Date` has whole seconds, and may be a second old: less than this is no difference of clocks. */
const allowanceMs = 3_000;

/**
 * Nothing but a `Date` tells that the whole machine was stopped. Servers behind one address may have clocks that
 * differ: then one `Date` is behind the one before it, which no stop explains, and an age is known less exactly.
 */
export function providerClock(time: Pick<Time, 'uptime'>): ProviderClock {
  /** How far the latest `Date` is ahead of the uptime, which counts a sleep and never counts too much. */
  let ahead: number | undefined;
  let differenceMs = 0;
  return {
    observe({ s, r }) {
      if (r.provider === undefined) return;
      // It was stamped at some time between the request and the answer.
      const behind = ahead === undefined ? 0 : ahead - (r.provider - s.uptime);
      if (behind > allowanceMs) differenceMs = Math.max(differenceMs, behind);
      ahead = r.provider - r.uptime;
    },
    now: () => (ahead === undefined ? undefined : time.uptime() + ahead),
    widened: (reading) =>
      reading.provider === undefined
        ? reading
        : { ...reading, provider: reading.provider + differenceMs },
  };
}
