import { days } from '../../contract/durations.ts';
import type { Time } from '../loop/time.ts';

/** The values of all clocks at one instant (milliseconds). */
export interface Reading {
  readonly boot: string;
  readonly monotonic: number;
  readonly uptime: number;
  readonly wall: number;
  /** The provider's time, from the `Date` of the latest answer. It may be behind, and is never ahead. */
  readonly provider?: number;
}

/** Reads the clocks. @param provider milliseconds since 1970, by the latest `Date` from the provider */
export function readClocks(time: Time, provider?: number): Reading {
  return {
    boot: time.boot,
    monotonic: time.monotonic(),
    uptime: time.uptime(),
    wall: time.wall(),
    provider,
  };
}

/** The clocks when a request was sent (`s`), and when its whole answer was received (`r`). */
export interface Exchange {
  readonly s: Reading;
  readonly r: Reading;
}

/** The range of a token's age at the provider (milliseconds). */
export interface Age {
  readonly least: number;
  /** Infinity when it is unknown. */
  readonly most: number;
}

/** The reference of a token's age: `least` is its minimum age at `r`, `most` its maximum age at `s`. */
export type Anchor = Age & Exchange;

/**
 * The anchor of a token that an exchange issued at some time between the two readings. Its `Date` was stamped after
 * the token was issued, at most by the duration of the exchange.
 */
export function createAnchor({ s, r }: Exchange): Anchor {
  const provider = r.provider && r.provider - maxElapsedMs(s, r);
  return { least: 0, most: 0, s: { ...s, provider }, r };
}

/**
 * The age of a token when the provider judged an exchange with it; s1 and r1 are the readings of the anchor.
 * `least` counts from r1 to s2 by the monotonic clock alone, which stops while the machine sleeps. `most` counts
 * from s1 to r2 by the clock with the greatest difference: monotonic; uptime, which includes sleep; wall clock; or
 * the provider's `Date`, because no local clock shows that the whole machine was stopped from outside (see
 * `isDated`). Across a reboot the gap is unknown: `least` stays the same, and `most` is Infinity. Readings cannot
 * show that clocks run at different rates; the tolerance covers that.
 */
export function ageAt(anchor: Anchor, { s, r }: Exchange): Age {
  if (!areComparable(anchor.r, s)) return toAge({ least: anchor.least, most: Infinity });
  const dateDifferenceMs =
    (r.provider ?? Number.NEGATIVE_INFINITY) - (anchor.s.provider ?? Infinity);
  // A server may stamp an answer when its request arrives (Apache does), and judge the token only then.
  const byDate = dateDifferenceMs + dateAllowanceMs + maxElapsedMs(s, r);
  return toAge({
    least: anchor.least + s.monotonic - anchor.r.monotonic,
    most: anchor.most + Math.max(maxElapsedMs(anchor.s, r), byDate),
  });
}

/**
 * Whether the provider's `Date` confirms an age (RFC 9110 6.6.1). One that stands still, or comes from a cache, is far
 * behind this machine's clocks. It is far ahead of them if the whole machine was stopped. Servers behind one address
 * whose clocks differ may hide a part of that stop. Then the monitor reports no early refusal.
 */
export function isDated(anchor: Anchor, exchange: Exchange): boolean {
  if (anchor.s.provider === undefined || exchange.r.provider === undefined) return false;
  const byDate = exchange.r.provider - anchor.s.provider + dateAllowanceMs;
  const difference = Math.abs(byDate - maxElapsedMs(anchor.s, exchange.r));
  return difference <= slackMs + maxElapsedMs(exchange.s, exchange.r);
}

/**
 * The anchor moved to a later reading of this machine: the same age, proven up to this reading, so that it survives
 * a later reboot. After a reboot, or if clocks contradict each other, `most` is unknown from then on.
 */
export function moveAnchor(anchor: Anchor, now: Reading): Anchor {
  const { least, most } = ageAt(anchor, { s: now, r: now });
  return most === Infinity ? { least, most, s: now, r: now } : { ...anchor, least, r: now };
}

/** Ten years: no token is watched for that long. */
const maxAgeMs = days(3650);

/** A value that cannot be an age counts as unknown. */
const toAge = ({ least, most }: Age): Age =>
  least >= 0 && least <= maxAgeMs && most >= least ? { least, most } : { least: 0, most: Infinity };

/** The error of a difference of two readings: Linux reports uptime in hundredths of a second. */
const resolutionMs = { uptime: 10, wall: 1 };

/** A `Date` has whole seconds, and servers update it once a second or less often. */
const dateAllowanceMs = 2_000;

/**
 * How far a `Date` may be from this machine's clocks while a token lives: for a slow answer when it was issued, and
 * for clocks that differ by 290 ppm.
 */
const slackMs = 60_000;

/** Within one boot no clock except the wall clock goes back. Comparisons with NaN are false. */
const areComparable = (from: Reading, to: Reading): boolean =>
  from.boot === to.boot &&
  to.monotonic >= from.monotonic &&
  to.uptime + resolutionMs.uptime >= from.uptime;

/** The maximum elapsed time by the machine's own clocks. */
const maxElapsedMs = (from: Reading, to: Reading): number =>
  areComparable(from, to)
    ? Math.max(
        to.monotonic - from.monotonic,
        to.uptime - from.uptime + resolutionMs.uptime,
        to.wall - from.wall + resolutionMs.wall,
      )
    : Infinity;
