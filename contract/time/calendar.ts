import { days, hours, minutes } from '../durations.ts';
import { nextWholeSecond } from './clock.ts';

/**
 * What happens, between which days (UTC), and how many hours after that midnight. Most other clocks change in the
 * nights of these zones. The last day of a year often belongs to the first week of the next: `YYYY` in Java's patterns.
 */
const rules: readonly (readonly [what: string, between: RegExp, hour?: number])[] = [
  ['clocks going forward in Europe/Berlin', /Sun, (2[5-9]|3.) Mar$/, 1],
  ['clocks going back in Europe/Berlin', /Sun, (2[5-9]|3.) Oct$/, 1],
  ['clocks going forward in America/New_York', /Sun, (0[89]|1[0-4]) Mar$/, 7],
  ['clocks going back in America/New_York', /Sun, 0[1-7] Nov$/, 6],
  ['clocks going forward in America/Santiago', /Sun, 0[2-8] Sep$/, 4],
  ['clocks going back in America/Santiago', /Sun, 0[2-8] Apr$/, 3],
  ['the end of a month', /01 Mar$/],
  ['the end of a month', /30 .*01 ...$/],
  ['the end of a month', /31 .*01 (?!Jan)...$/],
  ['the end of a month', /01 Jan$/],
  ['30 and 31 December', /31 Dec$/],
  ['28 and 29 February', /29 Feb$/],
  ['29 February and 1 March', /29 Feb .*01 Mar$/],
];

/** The next dates of each kind on which 24 hours are easily miscounted. Instants are milliseconds since 1970. */
export function hardDates(now: number): { readonly instant: number; readonly what: string }[] {
  const dates = rules.map(([what, between, hour = 0]) => {
    const instant = nextMidnight(now - hours(hour), between) + hours(hour);
    const month = new Date(instant - 1).toISOString().slice(0, 7);
    return { instant, what: what.replace('a month', month) };
  });
  dates.push({ instant: 2 ** 31 * 1000, what: 'the end of signed 32-bit seconds' });
  return dates.filter(({ instant }) => instant > now);
}

/** The first midnight (UTC) after an instant that is between such days: `Sat, 27 Mar | Sun, 28 Mar`. */
function nextMidnight(now: number, between: RegExp): number {
  const formatDay = (instant: number): string => new Date(instant).toUTCString().slice(0, 11);
  let midnight = Math.floor(now / days(1)) * days(1);
  do midnight += days(1);
  while (!between.test(`${formatDay(midnight - 1)} | ${formatDay(midnight)}`));
  return midnight;
}

/** 24 hours, which begin at an instant (milliseconds since 1970), and what is special about them. */
export interface Day {
  readonly start: number;
  readonly what: string;
}

/**
 * The days over hard dates that begin at `now` or later, in ascending order. They end half a day after the date, or a
 * quarter of an hour after clocks go back, in the hour that these clocks show twice.
 */
export const hardDays = (now: number): Day[] =>
  hardDates(now)
    .map(({ instant, what }) => {
      const isBack = what.startsWith('clocks going back');
      const end = instant + (isBack ? minutes(15) : hours(12));
      return { start: nextWholeSecond(end - days(1) - 1), what };
    })
    .filter(({ start }) => start >= now)
    .sort((a, b) => a.start - b.start);
