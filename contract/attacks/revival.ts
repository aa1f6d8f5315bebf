import { hardDates, hardDays, laterHardDates } from '../time/calendar.ts';
import { days, hours, lifetime, minutes, seconds } from '../time/clock.ts';

/**
 * An age at which a faulty service admits an expired token again. Such a service counts ages in too few bits, or
 * within a week, a month or a year, or it empties its list of ended tokens. The fault lasts for at least half a day.
 */
export interface Revival {
  /** Milliseconds since the token was made. */
  readonly ageMs: number;
  readonly what: string;
}

/** The ages (milliseconds) at which a fault makes a token valid again. */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly what: string;
}

/** Clocks of operating systems tick in hundredths of a second: 2^32 of them are the well-known 497 days. */
const units = [
  ['ms', 1],
  ['/100 s', 10],
  ['s', seconds(1)],
  ['min', minutes(1)],
  ['h', hours(1)],
  ['d', days(1)],
] as const;

/** Up to this age each counter is checked when it first wraps. Later, a service may have deleted the token. */
const mostRemembered = days(60);
/** From there to this age one check is enough: a multiple of 2^38 ms is one of every lower power of two. */
const longest = days(365 * 11);

/** Units whose counters are not checked when they first wrap. */
const throttled: ReadonlySet<string> = new Set(['/100 s', 'd']);

/** Numbers of days after which stores are emptied, counted from the beginning or the end of a token, or from a date. */
const month = 30.4375;
const year = 365.25;
const periods = [7, 8, 14, 15, 30, month, 31, 90, 365, year, 366];
const eleven = [11 * 365, 11 * year, 11 * 365 + 3, 12 * year];

/** A token is made at this time of day (UTC), so that two hours later the date is the same in most zones. */
const timeOfDay = hours(10) + minutes(45) + seconds(45);

/**
 * The next instant at which to make a token that is checked for revivals: in mid-month, late in its hour and its
 * minute.
 * @param now milliseconds since 1970
 */
export function beforeRevivals(now: number): number {
  let instant = Math.ceil((now - timeOfDay) / days(1)) * days(1) + timeOfDay;
  const dayOfMonth = (): number => new Date(instant).getUTCDate();
  while (dayOfMonth() < 6 || dayOfMonth() > 24) instant += days(1);
  return instant;
}

/** Ages at which each of the faults shows at least once, in ascending order. @param madeAt milliseconds since 1970 */
export function revivals(madeAt: number): Revival[] {
  const windows = [
    ...counters(),
    ...[...periods, ...eleven].map((count) => aDayFrom(days(count), `${count} days`)),
    ...sameDates(madeAt),
  ];
  const firstDay = [1, 7, 13].map((late) => ({
    ageMs: lifetime + hours(late),
    what: `${late} h after its end`,
  }));
  return [...firstDay, ...checksIn(windows, madeAt)];
}

const aDayFrom = (from: number, what: string): Window => ({ from, to: from + days(1), what });

/** Ages at which a counter of a power of two wraps. */
function counters(): Window[] {
  const all = units.flatMap(([unit, ms]) =>
    Array.from({ length: 48 }, (_, bits) => ({ unit, bits, from: 2 ** bits * ms })),
  );
  const due = all.filter(({ unit, bits, from }) => {
    if (from <= days(1) || from > longest) return false;
    const isHighest = !all.some(
      (one) => one.unit === unit && one.bits > bits && one.from <= longest,
    );
    return isHighest || (!throttled.has(unit) && from <= mostRemembered);
  });
  return due.map(({ unit, bits, from }) => aDayFrom(from, `2^${bits} ${unit}`));
}

/** The same date of the next month and year, and the same day counted from the beginning of a leap year. */
function sameDates(madeAt: number): Window[] {
  const made = new Date(madeAt);
  const later = (years: number, months: number): number =>
    new Date(madeAt).setUTCFullYear(made.getUTCFullYear() + years, made.getUTCMonth() + months);
  const nextLeap = Array.from({ length: 8 }, (_, index) => index + 1).find(
    (years) => new Date(Date.UTC(made.getUTCFullYear() + years, 1, 29)).getUTCDate() === 29,
  );
  const dates = [
    ['the same date of the next month', later(0, 1)],
    ['the same date of the next year', later(1, 0)],
    ['the same day of a leap year', later(nextLeap ?? 4, 0) - days(1)],
  ] as const;
  return dates.map(([what, instant]) => {
    const from = instant - madeAt;
    return { from, to: from + hours(13), what };
  });
}

/**
 * One check in each window: at an instant that other probes use too, or in the middle of all windows that overlap
 * there. The minute and the second of a check are lower than those at which the token was made.
 */
function checksIn(windows: readonly Window[], madeAt: number): Revival[] {
  const isLower = (unit: number) => (age: number) => (madeAt + age) % unit < madeAt % unit;
  // The other probes compute their days after an ordinary day has ended.
  const from = madeAt + lifetime;
  const shared = [...hardDays(hardDates(from), from), ...hardDays(laterHardDates(from), from)]
    .flatMap(({ start }) => [start - madeAt, start + lifetime - madeAt])
    .filter(isLower(hours(1)))
    .filter(isLower(minutes(1)));
  const found: Revival[] = [];
  const left = [...windows].sort((one, other) => one.to - other.to);
  for (let first = left[0]; first !== undefined; first = left[0]) {
    const { to } = first;
    const seen = left.filter(({ from }) => from + hours(1) < to - hours(1));
    const from = Math.max(...seen.map((window) => window.from));
    const whats = [...new Set(seen.map(({ what }) => what))].join(', ');
    const middle = Math.floor((from + to) / 2 / hours(1)) * hours(1) - minutes(22) - seconds(22);
    const ageMs = shared.find((age) => age > from + hours(1) && age < to - hours(1)) ?? middle;
    found.push({ ageMs, what: `about ${whats} old` });
    left.splice(0, left.length, ...left.filter((window) => !seen.includes(window)));
  }
  return found;
}
