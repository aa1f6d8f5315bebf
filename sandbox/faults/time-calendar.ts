import { day } from '../behaviour.ts';
import { byCalendarOf } from './calendar.ts';
import { expiringWhen, fault, type Mutant } from './fault.ts';

const zones = [
  'America/Chicago',
  'America/St_Johns',
  'America/Havana',
  'America/Adak',
  'Africa/Cairo',
  'Asia/Jerusalem',
  'Asia/Gaza',
  'Asia/Beirut',
  'Antarctica/Troll',
  'Pacific/Auckland',
  'Pacific/Norfolk',
  'Australia/Adelaide',
];

/** After its end a token is refused, unless the date is the same in a calendar without months or years. */
const sameWhen = (alike: (now: Date, made: Date) => boolean) =>
  expiringWhen((age, { madeAt }, now) => age >= day && !alike(new Date(now), new Date(madeAt)));

/** The local time of a zone as a comparable text. */
const localIn = (timeZone: string): ((instant: number) => string) => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (instant) => format.format(instant);
};

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day);

/** Whether a day of December is in the week of the first of January. */
const isInFirstWeek = (date: Date): boolean =>
  date.getUTCMonth() === 11 && date.getUTCDate() - date.getUTCDay() > 25;

/** 24 hours are counted by a calendar. */
export const timeCalendarMutants: readonly Mutant[] = [
  ...zones.map((zone) =>
    fault(
      `calendar-of-${(zone.split('/')[1] ?? zone).toLowerCase().replace('_', '-')}`,
      `24 hours are counted by the clocks of ${zone}`,
      () => byCalendarOf(zone),
    ),
  ),
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
