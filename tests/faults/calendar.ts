import { type Behaviour, day } from '../../sandbox/behaviour.ts';
import { expiringWhen, fault, type Mutant } from './fault.ts';

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
const byCalendarOf = (zone: string): Partial<Behaviour> => {
  const text = localIn(zone);
  const local = (instant: number): number => Date.parse(`${text(instant).replace(' ', 'T')}Z`);
  return expiringWhen((_age, { madeAt, memo }, now) => {
    const end = memo.get('end') ?? madeAt + day - (local(madeAt + day) - local(madeAt) - day);
    memo.set('end', end);
    return now >= end;
  });
};

/** @param place its name; the city of the zone is in the name of the mutant */
const calendarOf = (zone: string, place = zone): Mutant =>
  fault(
    `calendar-of-${zone.replace(/.*\//, '').toLowerCase().replace('_', '-')}`,
    `24 hours are counted by the clocks of ${place}`,
    () => byCalendarOf(zone),
  );

/** 24 hours are correct on most days only. */
export const calendarMutants: readonly Mutant[] = [
  calendarOf('Europe/Berlin', 'Berlin'),
  calendarOf('America/New_York', 'New York'),
  calendarOf('America/Santiago', 'Santiago'),
  calendarOf('Australia/Sydney', 'Sydney'),
  calendarOf('Australia/Lord_Howe', 'Lord Howe'),
  fault('months-have-30-days', 'The day after the 30th is the first', () =>
    expiringWhen(
      (age, { madeAt }) => age >= (new Date(madeAt).getUTCDate() === 31 ? 2 * day : day),
    ),
  ),
  fault('no-leap-day', 'The day after 28 February is 1 March', () =>
    expiringWhen(
      (age, { madeAt }) => age >= (/-02-28/.test(new Date(madeAt).toISOString()) ? 2 * day : day),
    ),
  ),
  fault('years-begin-anew', 'Days are counted within the year', () =>
    expiringWhen(
      (age, { madeAt }) => age >= (/-12-31/.test(new Date(madeAt).toISOString()) ? 365 * day : day),
    ),
  ),
  fault('32-bit-seconds', 'The end is kept as signed 32-bit seconds', () =>
    expiringWhen(
      (_age, { madeAt }, now) => Math.floor(now / 1000) >= (((madeAt + day) / 1000) | 0),
    ),
  ),
];

const zones = [
  'America/Chicago',
  'America/St_Johns',
  'America/Havana',
  'America/Adak',
  'Asia/Jerusalem',
  'Asia/Beirut',
  'Antarctica/Troll',
  'Pacific/Auckland',
  'Pacific/Norfolk',
  'Australia/Adelaide',
];

/** After its end a token is refused, unless the date is the same in a calendar without months or years. */
const sameWhen = (alike: (now: Date, made: Date) => boolean) =>
  expiringWhen((age, { madeAt }, now) => age >= day && !alike(new Date(now), new Date(madeAt)));

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day);

/** Whether a day of December is in the week of the first of January. */
const isInFirstWeek = (date: Date): boolean =>
  date.getUTCMonth() === 11 && date.getUTCDate() - date.getUTCDay() > 25;

/** 24 hours are counted by a calendar. */
export const timeCalendarMutants: readonly Mutant[] = [
  ...zones.map((zone) => calendarOf(zone)),
  fault(
    'end-as-local-time-of-berlin',
    'The end is kept as a local time of Berlin, which comes twice where clocks go back',
    () => {
      const local = localIn('Europe/Berlin');
      return expiringWhen((age, { madeAt }, now) =>
        age % 1000 === 0 ? local(now) >= local(madeAt + day) : age >= day,
      );
    },
  ),
  fault(
    'year-of-the-week',
    'The end has the year of its week, which begins on Sunday: late in December that is the next',
    () => expiringWhen((age, { madeAt }) => age >= day && !isInFirstWeek(new Date(madeAt + day))),
  ),
  fault('same-date-of-any-month', 'A token is valid again on the same date of another month', () =>
    sameWhen((now, made) => now.getUTCDate() === made.getUTCDate()),
  ),
  fault(
    'earlier-date-of-any-month',
    'A token is valid again until the same date of the next month',
    () => sameWhen((now, made) => now.getUTCDate() < made.getUTCDate()),
  ),
  fault(
    'same-day-of-any-year',
    'A token is valid again on the same day of another year, counted from its beginning',
    () => sameWhen((now, made) => dayOfYear(now) === dayOfYear(made)),
  ),
  fault('same-weekday', 'A token is valid again on the same day of another week', () =>
    sameWhen((now, made) => now.getUTCDay() === made.getUTCDay()),
  ),
  fault(
    'time-of-day-alone',
    'On the day after its end a token is valid until the time of day at which it was made',
    () =>
      sameWhen(
        (now, made) =>
          now.getTime() - made.getTime() < 2 * day && now.getTime() % day < made.getTime() % day,
      ),
  ),
];
