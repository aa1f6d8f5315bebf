import { days, hours, minutes, nextWholeSecond } from './clock.ts';

/** A date on which 24 hours are easily miscounted. */
interface HardDate {
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly what: string;
  /** Clocks go back: their last hour comes twice. */
  readonly isBack?: boolean;
}

/** A yearly change of the clocks: on the first Sunday from a day of a month on, at an hour of UTC. */
interface ClockChange {
  readonly zone: string;
  readonly goes: 'forward' | 'back';
  readonly month: number;
  readonly fromDay: number;
  readonly hour: number;
}

/**
 * One zone of the EU, one of the US, and one of the south, whose clocks change in the nights of most others. Days of
 * zones without such changes are among the ends of months and years.
 */
export const clockChanges: readonly ClockChange[] = [
  { zone: 'Europe/Berlin', goes: 'forward', month: 3, fromDay: 25, hour: 1 },
  { zone: 'Europe/Berlin', goes: 'back', month: 10, fromDay: 25, hour: 1 },
  { zone: 'America/New_York', goes: 'forward', month: 3, fromDay: 8, hour: 7 },
  { zone: 'America/New_York', goes: 'back', month: 11, fromDay: 1, hour: 6 },
  { zone: 'America/Santiago', goes: 'forward', month: 9, fromDay: 2, hour: 4 },
  { zone: 'America/Santiago', goes: 'back', month: 4, fromDay: 2, hour: 3 },
];

/**
 * The next changes of daylight saving time, ends of months and years, leap day, and wraps of counters.
 * @param now milliseconds since 1970
 */
export function hardDates(now: number): HardDate[] {
  const leap = nextLeapDay(now);
  const dates = [
    ...clockChanges.map((change) => nextChange(change, now)),
    ...ends(now),
    { instant: leap, what: '28 and 29 February' },
    { instant: leap + days(1), what: '29 February and 1 March' },
    // All counters of milliseconds with fewer bits wrap then, too.
    {
      instant: Math.ceil((now + 1) / 2 ** 32) * 2 ** 32,
      what: 'a multiple of 2^32 ms since 1970',
    },
    { instant: 2 ** 31 * 1000, what: 'the end of signed 32-bit seconds' },
  ];
  return dates.filter(({ instant }) => instant > now);
}

/** 24 hours over one or several hard dates. */
export interface HardDay {
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly what: string;
  /** How long before its end a faulty provider may take a token for expired (milliseconds). */
  readonly early: readonly number[];
}

/** No zone changes its clocks at this hour (UTC), so the 24 hours from it contain the changes of one night. */
const cut = hours(13);

/**
 * The days over hard dates that begin at `now` or later, in ascending order. They end half a day after their last
 * date. If clocks go back on all of its dates, a day ends a quarter of an hour after the last one, in the hour that
 * these clocks show twice.
 * @param now milliseconds since 1970
 */
export function hardDays(now: number): HardDay[] {
  const night = ({ instant }: HardDate): number => Math.floor((instant - cut) / days(1));
  return [...Map.groupBy(hardDates(now), night).values()]
    .map((together) => {
      const instants = together.map(({ instant }) => instant);
      const first = Math.min(...instants);
      const last = Math.max(...instants);
      const back = together.every(({ isBack }) => isBack);
      const latest = last + (back ? minutes(15) : hours(12)) - days(1);
      const start = nextWholeSecond(Math.min(latest, first - minutes(1)) - 1);
      const early = back ? [start + days(1) - (last - minutes(5))] : [];
      return { start, what: together.map(({ what }) => what).join(', '), early };
    })
    .filter(({ start }) => start >= now)
    .sort((one, other) => one.start - other.start);
}

/**
 * The next day whose 24 hours, and those around them, contain no hard date.
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970
 */
export function ordinaryDay(now: number): number {
  const hard = hardDates(now - days(3));
  const near = (day: number): boolean =>
    hard.some(({ instant }) => instant > day - days(1) && instant < day + days(2));
  let day = now;
  while (near(day)) day += days(1);
  return day;
}

/** The next time that clocks change in this way. */
function nextChange({ zone, goes, month, fromDay, hour }: ClockChange, now: number): HardDate {
  const inYear = (year: number): number => {
    const first = new Date(Date.UTC(year, month - 1, fromDay, hour));
    return first.getTime() + days((7 - first.getUTCDay()) % 7);
  };
  const year = new Date(now).getUTCFullYear();
  const instant = inYear(year) > now ? inYear(year) : inYear(year + 1);
  return { instant, what: `clocks going ${goes} in ${zone}`, isBack: goes === 'back' };
}

/**
 * Midnights (UTC) after the next February, after the next months of 30 and of 31 days, and after the next year. Also
 * the midnight before the last day of that year: this day often belongs to the first week of the year after it, which
 * is the year that `YYYY` means in Java's patterns.
 */
function ends(from: number): HardDate[] {
  const start = new Date(from);
  const found = new Map<string, HardDate>();
  for (let months = 1; months <= 12; months++) {
    const instant = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months, 1);
    const [month = '', day = ''] = new Date(instant - 1).toISOString().slice(5, 10).split('-');
    const kind = month === '12' || month === '02' ? month : day;
    const what = `the end of ${new Date(instant - 1).toISOString().slice(0, 7)}`;
    if (!found.has(kind)) found.set(kind, { instant, what });
    if (month === '12')
      found.set('30 December', { instant: instant - days(1), what: '30 and 31 December' });
  }
  return [...found.values()];
}

/** Midnight (UTC) at which the next 29 February begins. */
function nextLeapDay(from: number): number {
  for (let year = new Date(from).getUTCFullYear(); ; year++) {
    const instant = Date.UTC(year, 1, 29);
    if (new Date(instant).getUTCDate() === 29 && instant > from) return instant;
  }
}
