import { days, hours, minutes } from './clock.ts';

/** A date over which 24 hours are easily miscounted. */
interface HardDate {
  /** Milliseconds since 1970. */
  readonly instant: number;
  readonly what: string;
}

/** Zones whose changes differ: in date, in direction, in size (Lord Howe moves by half an hour). */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Sydney',
  'Australia/Lord_Howe',
];

/**
 * The hard dates of the year ahead, the next leap day, and the end of signed 32-bit seconds, in ascending order, as
 * far as they lie ahead.
 * @param now milliseconds since 1970
 */
export function hardDates(now: number): HardDate[] {
  const leap = nextLeapDay(now);
  const dates = [
    ...zones.flatMap((zone) => changes(zone, now)),
    ...ends(now),
    { instant: leap, what: '28 and 29 February' },
    { instant: leap + days(1), what: '29 February and 1 March' },
    { instant: 2 ** 31 * 1000, what: 'the end of signed 32-bit seconds' },
  ];
  return dates
    .filter(({ instant }) => instant > now)
    .sort((one, other) => one.instant - other.instant);
}

/** The 24 hours from one noon (UTC) to the next, and the hard dates that lie between. */
export interface HardDay {
  /** Milliseconds since 1970. */
  readonly noon: number;
  readonly what: string;
}

/** The days over hard dates that begin from now on, in ascending order. @param now milliseconds since 1970 */
export function hardDays(now: number): HardDay[] {
  const noonBefore = ({ instant }: HardDate): number =>
    Math.floor((instant - hours(12)) / days(1)) * days(1) + hours(12);
  return [...Map.groupBy(hardDates(now), noonBefore)]
    .filter(([noon]) => noon >= now)
    .map(([noon, dates]) => ({ noon, what: dates.map(({ what }) => what).join(', and ') }));
}

/**
 * The next day whose 24 hours, and those around them, hold no hard date.
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

/** Midnights (UTC) after the next February, the next months of 30 and of 31 days, and the next year. */
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
  return [...Map.groupBy(months, ({ kind }) => kind).values()].flatMap((all) => all.slice(0, 1));
}

/** The instants of the next year at which a zone's clocks are changed, which is never twice in a fortnight. */
function changes(zone: string, from: number): HardDate[] {
  const found: HardDate[] = [];
  const step = days(14);
  for (let day = from; day < from + days(366); day += step) {
    if (offset(zone, day) === offset(zone, day + step)) continue;
    let [before, after] = [day, day + step];
    while (after - before > minutes(1)) {
      const middle = Math.floor((before + after) / 2);
      if (offset(zone, middle) === offset(zone, before)) before = middle;
      else after = middle;
    }
    const instant = Math.floor(after / minutes(1)) * minutes(1);
    const direction = offset(zone, after) > offset(zone, before) ? 'forward' : 'back';
    found.push({ instant, what: `clocks going ${direction} in ${zone}` });
  }
  return found;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clocks are ahead of UTC at an instant (milliseconds). */
function offset(zone: string, instant: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name =
    format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hour = '0', minute = '0'] = /GMT([+-])(\d+):(\d+)/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (hours(Number(hour)) + minutes(Number(minute)));
}

/** Midnight (UTC) at which the next 29 February begins. */
function nextLeapDay(from: number): number {
  for (let year = new Date(from).getUTCFullYear(); ; year++) {
    const instant = Date.UTC(year, 1, 29);
    if (new Date(instant).getUTCDate() === 29 && instant > from) return instant;
  }
}
