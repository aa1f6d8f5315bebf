import { remembering } from '../remembering.ts';
import { days, hours, minutes, nextWholeSecond } from './clock.ts';

/** A date on which 24 hours are easily miscounted. */
interface HardDate {
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly what: string;
  /** The zone whose clocks change. */
  readonly zone?: string;
}

/** One zone for each kind of daylight saving change in the world: by date, hour, direction, and size. */
export const zones: readonly string[] = `
  America/Miquelon America/St_Johns America/Havana America/Halifax America/New_York America/Chicago
  America/Denver America/Los_Angeles America/Anchorage America/Adak Asia/Jerusalem Asia/Gaza
  Asia/Beirut Antarctica/Troll Europe/Berlin Africa/Cairo America/Santiago Pacific/Auckland
  Pacific/Norfolk Australia/Lord_Howe Australia/Sydney Australia/Adelaide
`
  .trim()
  .split(/\s+/);

/**
 * The hard dates of the year ahead: changes of daylight saving time, ends of months and years, and the next wrap of a
 * counter of milliseconds. In ascending order.
 * @param now milliseconds since 1970
 */
export const hardDates = (now: number): HardDate[] =>
  ascending(now, [...changesFrom(Math.floor(now / days(1)) * days(1)), ...ends(now), wrap(now)]);

/** The hard dates that may be years ahead: the next leap day, and the end of signed 32-bit seconds. */
export function laterHardDates(now: number): HardDate[] {
  const leap = nextLeapDay(now);
  return ascending(now, [
    { instant: leap, what: '28 and 29 February' },
    { instant: leap + days(1), what: '29 February and 1 March' },
    { instant: 2 ** 31 * 1000, what: 'the end of signed 32-bit seconds' },
  ]);
}

const ascending = (now: number, dates: readonly HardDate[]): HardDate[] =>
  dates.filter(({ instant }) => instant > now).sort((one, other) => one.instant - other.instant);

/** The next instant at which 32-bit milliseconds since 1970 wrap, and with them all counters with fewer bits. */
const wrap = (now: number): HardDate => ({
  instant: Math.ceil((now + 1) / 2 ** 32) * 2 ** 32,
  what: 'a multiple of 2^32 ms since 1970',
});

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
export function hardDays(dates: readonly HardDate[], now: number): HardDay[] {
  const night = ({ instant }: HardDate): number => Math.floor((instant - cut) / days(1));
  return [...Map.groupBy(dates, night).values()]
    .map((together) => {
      const instants = together.map(({ instant }) => instant);
      const first = Math.min(...instants);
      const last = Math.max(...instants);
      const back = together.every(({ what }) => what === goingBack);
      const latest = last + (back ? minutes(15) : hours(12)) - days(1);
      const start = nextWholeSecond(Math.min(latest, first - minutes(1)) - 1);
      const early = back ? [start + days(1) - (last - minutes(5))] : [];
      return { start, what: formatDates(together), early };
    })
    .filter(({ start }) => start >= now)
    .sort((one, other) => one.start - other.start);
}

/** `the end of 2026, clocks going back in Europe/Berlin, Asia/Beirut` */
const formatDates = (dates: readonly HardDate[]): string =>
  [...Map.groupBy(dates, ({ what }) => what)]
    .map(([what, all]) => {
      const places = all.flatMap(({ zone }) => zone ?? []);
      return places.length === 0 ? what : `${what} in ${places.join(', ')}`;
    })
    .join(', ');

/**
 * The next day whose 24 hours, and those around them, contain no hard date.
 * @param now milliseconds since 1970
 * @returns milliseconds since 1970
 */
export function ordinaryDay(now: number): number {
  const hard = [...hardDates(now - days(3)), ...laterHardDates(now - days(3))];
  const near = (day: number): boolean =>
    hard.some(({ instant }) => instant > day - days(1) && instant < day + days(2));
  let day = now;
  while (near(day)) day += days(1);
  return day;
}

const goingBack = 'clocks going back';

/**
 * Midnights (UTC) after the next February, after the next months of 30 and of 31 days, and after the next year. Also
 * the midnight before the last day of that year: this day often belongs to the first week of the year after it, which
 * is the year that `YYYY` means in Java's patterns.
 */
function ends(from: number): HardDate[] {
  const start = new Date(from);
  const months = Array.from({ length: 12 }, (_, index) => {
    const instant = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1 + index, 1);
    const last = new Date(instant - 1).toISOString();
    const [year = '', month = '', day = ''] = last.slice(0, 10).split('-');
    const kind = month === '12' ? 'year' : month === '02' ? 'February' : `month of ${day} days`;
    return {
      instant,
      kind,
      what: kind === 'year' ? `the end of ${year}` : `the end of ${year}-${month}`,
    };
  });
  const firsts = [...Map.groupBy(months, ({ kind }) => kind).values()];
  return firsts.flatMap(([next]) =>
    next === undefined ? [] : next.kind === 'year' ? [lastDayBefore(next.instant), next] : [next],
  );
}

/** @param end of a year: the midnight (UTC) after it */
const lastDayBefore = (end: number): HardDate => ({
  instant: end - days(1),
  what: `30 and 31 December ${new Date(end - 1).getUTCFullYear()}`,
});

/** The changes of all zones within a year from a midnight (UTC), computed once: rounds of one process share them. */
const changesFrom = remembering((midnight: number): readonly HardDate[] =>
  zones.flatMap((zone) => changes(zone, midnight)),
);

/** The instants of the next year at which a zone's clocks change, which never happens twice in a fortnight. */
function changes(zone: string, from: number): HardDate[] {
  const found: HardDate[] = [];
  const step = days(14);
  let old = offset(zone, from);
  for (let day = from; day < from + days(367); day += step) {
    const next = offset(zone, day + step);
    if (next === old) continue;
    let before = day;
    let after = day + step;
    while (after - before > minutes(1)) {
      const middle = Math.floor((before + after) / 2);
      if (offset(zone, middle) === old) before = middle;
      else after = middle;
    }
    const instant = Math.floor(after / minutes(1)) * minutes(1);
    found.push({ instant, what: next > old ? 'clocks going forward' : goingBack, zone });
    old = next;
  }
  return found;
}

const formatOf = remembering(
  (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
);

/** How far a zone's clocks are ahead of UTC at an instant (milliseconds). */
function offset(zone: string, instant: number): number {
  const [, sign = '+', hour = '0', minute = '0'] =
    /GMT([+-])(\d+):(\d+)/.exec(formatOf(zone).format(instant)) ?? [];
  return (sign === '-' ? -1 : 1) * (hours(Number(hour)) + minutes(Number(minute)));
}

/** Midnight (UTC) at which the next 29 February begins. */
function nextLeapDay(from: number): number {
  for (let year = new Date(from).getUTCFullYear(); ; year++) {
    const instant = Date.UTC(year, 1, 29);
    if (new Date(instant).getUTCDate() === 29 && instant > from) return instant;
  }
}
