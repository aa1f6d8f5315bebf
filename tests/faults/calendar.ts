import { day } from '../../sandbox/behaviour.ts';
import { breaking, expiringWhen, type Faults } from './fault.ts';

/** The local time of a zone as a comparable text. */
const localIn = (timeZone: string): ((instant: number) => string) => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (instant) => format.format(instant);
};

/** Ends a token at the same time of the next day by the clocks of a zone, as calendars count. */
const byCalendarOf = (zone: string) => {
  const text = localIn(zone);
  const local = (instant: number): number => Date.parse(`${text(instant).replace(' ', 'T')}Z`);
  return expiringWhen((_age, { madeAt, memo }, now) => {
    const end = memo.get('end') ?? madeAt + day - (local(madeAt + day) - local(madeAt) - day);
    memo.set('end', end);
    return now >= end;
  });
};

const zones = [
  ...['Europe/Berlin', 'America/New_York', 'America/Santiago', 'America/Chicago'],
  ...['America/St_Johns', 'America/Havana', 'America/Adak', 'Asia/Jerusalem', 'Asia/Beirut'],
  ...['Antarctica/Troll', 'Australia/Sydney', 'Australia/Lord_Howe', 'Australia/Adelaide'],
  ...['Pacific/Auckland', 'Pacific/Norfolk'],
];

const cityOf = (zone: string): string =>
  zone.replace(/.*\//, '').toLowerCase().replaceAll('_', '-');

/** Tokens made on some dates, as ISO 8601 has them, live longer. */
export const longerFrom = (date: RegExp, lifetime = 2 * day) =>
  expiringWhen(
    (age, { madeAt }) => age >= (date.test(new Date(madeAt).toISOString()) ? lifetime : day),
  );

/** After its end a token is refused, unless the date is the same in a calendar without months or years. */
const sameWhen = (isSame: (now: Date, made: Date) => boolean) =>
  expiringWhen((age, { madeAt }, now) => age >= day && !isSame(new Date(now), new Date(madeAt)));

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day);

/** Whether a day of December is in the week of the first of January. */
const isInFirstWeek = (date: Date): boolean =>
  date.getUTCMonth() === 11 && date.getUTCDate() - date.getUTCDay() > 25;

const localInBerlin = localIn('Europe/Berlin');

/** 24 hours are counted by a calendar. */
export const calendarFaults: Faults = {
  ...breaking('EXPIRY-7', {
    ...Object.fromEntries(zones.map((zone) => [`calendar-of-${cityOf(zone)}`, byCalendarOf(zone)])),
    'months-have-30-days': longerFrom(/-31T/),
    'no-leap-day': longerFrom(/-02-28T/),
    'years-begin-anew': longerFrom(/-12-31T/, 365 * day),
    '32-bit-seconds': expiringWhen(
      (_age, { madeAt }, now) => Math.floor(now / 1000) >= (((madeAt + day) / 1000) | 0),
    ),
    // A local time comes twice where clocks go back.
    'end-as-local-time-of-berlin': expiringWhen((age, { madeAt }, now) =>
      age % 1000 === 0 ? localInBerlin(now) >= localInBerlin(madeAt + day) : age >= day,
    ),
    // Weeks begin on Sunday: late in December the year of the week is the next one.
    'year-of-the-week': expiringWhen(
      (age, { madeAt }) => age >= day && !isInFirstWeek(new Date(madeAt + day)),
    ),
  }),
  ...breaking('EXPIRY-5', {
    'same-date-of-any-month': sameWhen((now, made) => now.getUTCDate() === made.getUTCDate()),
    'same-day-of-any-year': sameWhen((now, made) => dayOfYear(now) === dayOfYear(made)),
    'same-weekday': sameWhen((now, made) => now.getUTCDay() === made.getUTCDay()),
    'time-of-day-alone': expiringWhen(
      (age, { madeAt }, now) => age >= day && !(age < 2 * day && now % day < madeAt % day),
    ),
  }),
  'earlier-date-of-any-month': {
    breaks: ['EXPIRY-5', 'EXPIRY-7'],
    ...sameWhen((now, made) => now.getUTCDate() < made.getUTCDate()),
  },
};
