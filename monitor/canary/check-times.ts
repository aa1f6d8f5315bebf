import { days, hours, lifetime, minutes, seconds } from '../../contract/time/clock.ts';
import type { Age } from './age.ts';
import { forgiven, type Tolerance } from './verdict.ts';

/**
 * How far outside the tolerance the rungs next to the end lie, so that a check is decisive although it takes time:
 * with a tolerance of five seconds thirty seconds before and after it. For clocks that run at different rates there
 * is so much room that an accusation at these rungs would take 290 ppm.
 */
const clearanceMs = seconds(25);

/** Which rungs a ladder has. */
export interface CheckTimes extends Tolerance {
  /**
   * Whether there are two more rungs, within the tolerance before and after the end. A violation is cleared only by a
   * canary that was checked closer to the end than the canary that had proven it, so these are needed after one.
   */
  readonly closer?: boolean;
}

/** How far from the end the closer rungs lie: an admission or a refusal there is forgiven, and accuses no provider. */
const closeMs = (tolerance: Tolerance): number =>
  Math.max(forgiven(tolerance) / 2, forgiven(tolerance) - seconds(1));

/** The ages at which a token is checked (milliseconds), ascending. */
export function checkTimes({ closer = false, ...tolerance }: CheckTimes): number[] {
  const near = nearMs(tolerance);
  const close = closer ? [-closeMs(tolerance), closeMs(tolerance)].map((ms) => lifetime + ms) : [];
  const before = [hours(1), hours(12), hours(23), lifetime - minutes(5), lifetime - near];
  const soon = [near, minutes(5), hours(1)].map((ms) => lifetime + ms);
  // Expired is final, so it is looked at again and again (EXPIRY-5).
  const week = [1, 2, 3, 4, 5, 6, 7].map((count) => lifetime + days(count));
  return [...before, ...close, ...soon, ...week].sort((one, other) => one - other);
}

/** How far before and after the end the rungs next to it lie. */
const nearMs = (tolerance: Tolerance): number => forgiven(tolerance) + clearanceMs;

/** By how much a check may come before its rung and still be the check of it: timers may fire a moment early. */
export const earlyMs = seconds(1);

/**
 * How high on the ladder a token of that age stands. A check before the end can decide only while the token is below it
 * for sure, so `most` counts; after the end, and while the side is unknown, `least` does: then a check
 * still gives a lower bound, and the rungs after the end are reached when they can decide.
 */
export const height = ({ least, most }: Age): number => (most < lifetime ? most : least);

/**
 * How long until the next check is due: 0 when it is by now. No check is due between the tolerance and the first rung
 * behind it: an admission there would prove a late age so small that hardly any refusal is certainly younger, and the
 * violation could not be cleared.
 * @param climbed the greatest height at which there was a check; rungs below it are done, or were passed in a sleep
 * @returns milliseconds of monotonic time; undefined when no rung is left
 */
export function dueIn(age: Age, climbed: number, times: CheckTimes): number | undefined {
  const next = checkTimes(times).find((rung) => rung > climbed + earlyMs);
  if (next === undefined) return undefined;
  // A check after the end decides by the least, also when it is planned while the token is still below its end.
  const inMs = Math.max(0, next - (next < lifetime ? height(age) : age.least));
  const least = age.least + inMs;
  const behind = lifetime + nearMs(times);
  const tooSoon = least > lifetime + forgiven(times) && least < behind - earlyMs;
  return tooSoon ? behind - age.least : inMs;
}
