import { days, hours, lifetime, minutes, seconds } from '../durations.ts';

/**
 * Ages at which a faulty service admits an expired token again: it counts them in too few bits, or within a week, a
 * month or a year. A counter of n bits is zero at each multiple of 2^n, so a late check also finds all smaller
 * counters of its unit. Early checks find a service that deletes the token before the late ones.
 */
const ages: readonly (readonly [days: number, hours: number, what: string])[] = [
  [1, 22, '2^5 h, 2^11 min, 2^17 s, 2^27 ms'],
  [7, 12, 'a week'],
  [8, 5, 'a week after its end'],
  [11, 12, '2^8 h, 2^14 min'],
  [23, 6, '2^15 min'],
  [25, 1, '2^21 s, 2^31 ms'],
  [30, 5, '30 days'],
  [50, 5, '2^32 ms'],
  [365, 9, 'a year'],
  [2048, 12, '2^11 d'],
  [3107, 9, '2^28 s'],
  [4018, 9, 'eleven years'],
];

/** In ascending order. Each is checked at a lower minute and second of its hour than that at which the token was made. */
export const revivals: readonly { readonly ageMs: number; readonly what: string }[] = [
  ...[1, 7, 13].map((late) => ({ ageMs: lifetime + hours(late), what: `${late} h after its end` })),
  ...ages.map(([day, hour, what]) => ({
    ageMs: days(day) + hours(hour) - minutes(23) - seconds(22),
    what: `about ${what} old`,
  })),
];

/** At this time of day (UTC), two hours later the date is the same in most zones. */
const timeOfDay = hours(10) + minutes(45) + seconds(45);

/**
 * When to issue the token that is checked at these ages (ms since 1970): late in an hour, and at the beginning of a day
 * that is like any other. Clocks change, and months end, outside of these days.
 */
export function nextRevivalStart(now: number): number {
  let instant = Math.ceil((now - timeOfDay) / days(1)) * days(1) + timeOfDay;
  const isOrdinary = (): boolean =>
    Math.abs(new Date(instant).getUTCDate() - 19) < 5 && instant % 2 ** 32 < 2 ** 32 - days(2);
  while (!isOrdinary()) instant += days(1);
  return instant;
}
