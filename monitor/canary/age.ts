import type { Time } from '../schedule/time.ts';

/** What all clocks said at one instant (milliseconds). */
export interface Reading {
  readonly boot: string;
  readonly monotonic: number;
  readonly uptime: number;
  readonly wall: number;
  /** The provider's own time, as the `Date` of an answer that had come by then says: it may lag, and is never ahead. */
  readonly provider?: number;
}

/** Reads the clocks. @param provider milliseconds since 1970, by the latest `Date` from the provider */
export function read(time: Time, provider?: number): Reading {
  return {
    boot: time.boot,
    monotonic: time.monotonic(),
    uptime: time.uptime(),
    wall: time.wall(),
    provider,
  };
}

/** A request and its answer: the clocks before it was sent, and after all of the answer had come. */
export interface Exchange {
  readonly s: Reading;
  readonly r: Reading;
}

/** A token's age at the provider lies between these (milliseconds). */
export interface Age {
  readonly least: number;
  /** Infinity when it is unknown. */
  readonly most: number;
}

/** From where a token's age is counted. */
export interface Anchor {
  /** Its least age at `r`, and its most at `s`, which is Infinity when it is unknown. */
  readonly least: number;
  readonly most: number;
  readonly s: Reading;
  readonly r: Reading;
}

/**
 * The anchor of a token that an exchange made: somewhere between the two readings. A `Date` was stamped after the token
 * was made, by as much as the exchange took at most; one that was known before the request was sent (in `s`) is better.
 */
export function anchoredBy({ s, r }: Exchange): Anchor {
  const provider =
    s.provider ?? (r.provider === undefined ? undefined : r.provider - longest(s, r));
  return { least: 0, most: 0, s: provider === undefined ? s : { ...s, provider }, r };
}

/**
 * The age of a token when an exchange of it was judged at the provider, with the anchor's instants s1 and r1.
 *
 * `least` counts from r1 to s2 by the monotonic clock alone, which stands still while the machine sleeps. `most` counts
 * from s1 to r2 by whichever clock says most: monotonic; uptime, which sees a sleep; the wall clock; and the provider's
 * `Date`, since no local clock sees it when the whole machine is stopped from outside (see `isDated`). Between two
 * boots nothing is known of the gap: `least` stays what it was, and `most` is Infinity. That clocks run at different
 * rates no reading can tell: the tolerance is for that.
 */
export function ageAt(anchor: Anchor, { s, r }: Exchange): Age {
  if (!areComparable(anchor.r, s)) return proven({ least: anchor.least, most: Infinity });
  const dated = (r.provider ?? Number.NEGATIVE_INFINITY) - (anchor.s.provider ?? Infinity);
  // A server may stamp an answer when its request has come (Apache does), and judge the token only then.
  const byDate = dated + dateAllowanceMs + longest(s, r);
  return proven({
    least: anchor.least + s.monotonic - anchor.r.monotonic,
    most: anchor.most + Math.max(longest(anchor.s, r), byDate),
  });
}

/** Whether the provider bears witness to an age by its `Date` too (RFC 9110 6.6.1): without it none is accused. */
export const isDated = (anchor: Anchor, { r }: Exchange): boolean =>
  anchor.s.provider !== undefined && r.provider !== undefined;

/**
 * The anchor at a later reading of this machine: the same age, proven up to here, so that it outlives a reboot that
 * comes after it. After a reboot, and from clocks that contradict themselves, `most` is unknown for good.
 */
export function moved(anchor: Anchor, now: Reading): Anchor {
  const { least, most } = ageAt(anchor, { s: now, r: now });
  return most === Infinity ? { least, most, s: now, r: now } : { ...anchor, least, r: now };
}

/** Ten years: no token is watched so long. */
export const oldestMs = 3650 * 86_400_000;

/** A damaged file may say anything: what cannot be an age, also what is no number, is taken for unknown. */
const proven = ({ least, most }: Age): Age =>
  least >= 0 && least <= oldestMs && most >= least ? { least, most } : { least: 0, most: Infinity };

/** By how much a difference of two readings may be too small: Linux tells uptime in hundredths of a second. */
const resolutionMs = { uptime: 10, wall: 1 };

/** A `Date` has whole seconds, and servers make it once a second or less often. */
const dateAllowanceMs = 2_000;

/** No clock of one boot goes back but the wall clock; what is no number compares to nothing. */
const areComparable = (from: Reading, to: Reading): boolean =>
  from.boot === to.boot &&
  to.monotonic >= from.monotonic &&
  to.uptime + resolutionMs.uptime >= from.uptime;

/** What has passed at most, by the machine's own clocks. */
const longest = (from: Reading, to: Reading): number =>
  areComparable(from, to)
    ? Math.max(
        to.monotonic - from.monotonic,
        to.uptime - from.uptime + resolutionMs.uptime,
        to.wall - from.wall + resolutionMs.wall,
      )
    : Infinity;
