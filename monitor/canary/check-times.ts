import { days, hours, lifetime, minutes, seconds } from '../../contract/time/clock.ts';
import type { Age } from '../token-age/age.ts';
import { forgiven, type Tolerance } from '../token-age/verdict.ts';

/**
 * How far outside the tolerance the checks next to the end are, so that a check is decisive although it takes
 * time: with a tolerance of five seconds thirty seconds before and after it. Clocks that run at different rates
 * would need 290 ppm to cause a false alarm at these checks.
 */
const clearanceMs = seconds(25);

/** The check times of a canary. */
export interface CheckTimes extends Tolerance {
  /**
   * Whether there are two more checks, within the tolerance before and after the end. A violation is cleared only
   * by a canary that was checked closer to the end than the canary that proved it, so these are needed after a
   * violation.
   */
  readonly closer?: boolean;
}

/**
 * How far from the end the closer checks are: an admission or a refusal there is tolerated, and is not a
 * violation.
 */
const closeMs = (tolerance: Tolerance): number =>
  Math.max(forgiven(tolerance) / 2, forgiven(tolerance) - seconds(1));

/** The ages at which a token is checked (milliseconds), ascending. */
export function checkTimes({ closer = false, ...tolerance }: CheckTimes): number[] {
  const near = nearMs(tolerance);
  const close = closer ? [-closeMs(tolerance), closeMs(tolerance)].map((ms) => lifetime + ms) : [];
  const before = [hours(1), hours(12), hours(23), lifetime - minutes(5), lifetime - near];
  const soon = [near, minutes(5), hours(1)].map((ms) => lifetime + ms);
  // Expiry is final, so it is checked repeatedly (EXPIRY-5).
  const week = [1, 2, 3, 4, 5, 6, 7].map((count) => lifetime + days(count));
  return [...before, ...close, ...soon, ...week].sort((one, other) => one - other);
}

/** How far before and after the end the nearest checks are. */
const nearMs = (tolerance: Tolerance): number => forgiven(tolerance) + clearanceMs;

/** How much earlier than planned a check still counts: timers may fire a moment early. */
export const earlyMs = seconds(1);

/**
 * The number of check times that a token of that age has passed. A check before the end can decide only while the
 * token is certainly younger, so `most` counts; after the end, and while the side is unknown, `least` counts:
 * then a check still gives a lower bound, and the checks after the end take place when they can decide.
 */
export const height = ({ least, most }: Age): number => (most < lifetime ? most : least);

/**
 * How long until the next check is due: 0 when it is due now. No check is due between the tolerance and the first
 * check time after it: an admission there would prove a late expiry so small that hardly any refusal is certainly
 * younger, and the violation could not be cleared.
 * @param climbed the most check times passed at any check; those were done, or were missed in a sleep
 * @returns milliseconds of monotonic time; undefined when no check time is left
 */
export function dueIn(age: Age, climbed: number, times: CheckTimes): number | undefined {
  const next = checkTimes(times).find((rung) => rung > climbed + earlyMs);
  if (next === undefined) return undefined;
  // A check after the end decides by `least`, also when it is planned while the token has not reached its end.
  const inMs = Math.max(0, next - (next < lifetime ? height(age) : age.least));
  const least = age.least + inMs;
  const behind = lifetime + nearMs(times);
  const tooSoon = least > lifetime + forgiven(times) && least < behind - earlyMs;
  return tooSoon ? behind - age.least : inMs;
}
