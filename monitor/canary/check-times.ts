import { days, hours, lifetime, minutes, seconds } from '../../contract/durations.ts';
import type { Age } from './age.ts';
import { effectiveToleranceMs, type Tolerance } from './verdict.ts';

/**
 * The distance from the tolerance to the checks nearest to the end. It keeps a check decisive although the check
 * takes time. With a tolerance of five seconds, these checks are thirty seconds before and after the end. Clocks
 * would have to differ by 290 ppm to cause a false alarm there.
 */
const clearanceMs = seconds(25);

export interface CheckTimes extends Tolerance {
  /**
   * Whether there are two more checks, within the tolerance before and after the end. They are needed after a
   * violation: only a canary that was checked closer to the end than the violating one can clear it.
   */
  readonly closer?: boolean;
}

/** The distance of the closer checks from the end. There an admission or a refusal is tolerated. */
const closeMs = (tolerance: Tolerance): number =>
  Math.max(effectiveToleranceMs(tolerance) / 2, effectiveToleranceMs(tolerance) - seconds(1));

/** The ages at which a token is checked (milliseconds), ascending. */
export function checkTimes({ closer = false, ...tolerance }: CheckTimes): number[] {
  const near = nearMs(tolerance);
  const close = closer ? [-closeMs(tolerance), closeMs(tolerance)].map((ms) => lifetime + ms) : [];
  // Where the clocks of a provider's servers differ by minutes, the check half an hour before the end is the last that
  // can decide.
  const late = [minutes(30), minutes(5), near].map((ms) => lifetime - ms);
  const before = [hours(1), hours(12), hours(23), ...late];
  const soon = [near, minutes(5), hours(1)].map((ms) => lifetime + ms);
  // Expiry is final, so it is checked repeatedly (EXPIRY-5).
  const week = [1, 2, 3, 4, 5, 6, 7].map((count) => lifetime + days(count));
  return [...before, ...close, ...soon, ...week].sort((a, b) => a - b);
}

/** The distance from the end to the nearest checks before and after it. */
const nearMs = (tolerance: Tolerance): number => effectiveToleranceMs(tolerance) + clearanceMs;

/** A check counts if it is at most this much early: timers may fire a moment early. */
export const earlyMs = seconds(1);

/**
 * The age (milliseconds) up to which check times count as passed. A check before the end can decide only while the
 * token is certainly younger, so `most` counts there. Otherwise `least` counts, also while the side is unknown:
 * such a check still gives a lower bound, and later checks happen when they can decide.
 */
export const reachedAge = ({ least, most }: Age): number => (most < lifetime ? most : least);

/**
 * How long until the next check is due: 0 when it is due now. No check is due between the tolerance and the first
 * check time after it. An admission there would prove a very small delay. Hardly any refusal is certainly younger
 * than that, so the violation could not be cleared.
 * @param climbed the greatest `reachedAge` at any check (milliseconds): earlier check times are done, or were missed in
 * a sleep
 * @returns milliseconds of monotonic time; undefined when no check time is left
 */
export function dueIn(age: Age, climbed: number, times: CheckTimes): number | undefined {
  const next = checkTimes(times).find((checkAge) => checkAge > climbed + earlyMs);
  if (next === undefined) return undefined;
  // A check after the end decides by `least`, even if it is planned before the token reaches its end.
  const inMs = Math.max(0, next - (next < lifetime ? reachedAge(age) : age.least));
  const least = age.least + inMs;
  const behind = lifetime + nearMs(times);
  const tooSoon = least > lifetime + effectiveToleranceMs(times) && least < behind - earlyMs;
  return tooSoon ? behind - age.least : inMs;
}
