import { type Behaviour, day } from '../behaviour.ts';
import { expiringWhen, type Mutant } from './fault.ts';

/** Ends a token at the same time of the next day by the clocks of a zone, as calendars count. */
export const byCalendarOf = (zone: string): Partial<Behaviour> => {
  const format = new Intl.DateTimeFormat('sv', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const local = (instant: number): number =>
    Date.parse(`${format.format(instant).replace(' ', 'T')}Z`);
  return expiringWhen((_age, { madeAt, memo }, now) => {
    const end = memo.get('end') ?? madeAt + day - (local(madeAt + day) - local(madeAt) - day);
    memo.set('end', end);
    return now >= end;
  });
};

/** 24 hours are correct on most days only. */
export const calendarMutants: readonly Mutant[] = [
  ...[
    ['Berlin', 'Europe/Berlin'],
    ['New York', 'America/New_York'],
    ['Santiago', 'America/Santiago'],
    ['Sydney', 'Australia/Sydney'],
    ['Lord Howe', 'Australia/Lord_Howe'],
  ].map(
    ([place = '', zone = '']): Mutant => ({
      name: `calendar-of-${place.toLowerCase().replace(' ', '-')}`,
      means: `24 hours are counted by the clocks of ${place}`,
      make: () => byCalendarOf(zone),
    }),
  ),
  {
    name: 'months-have-30-days',
    means: 'The day after the 30th is the first',
    make: () =>
      expiringWhen(
        (age, { madeAt }) => age >= (new Date(madeAt).getUTCDate() === 31 ? 2 * day : day),
      ),
  },
  {
    name: 'no-leap-day',
    means: 'The day after 28 February is 1 March',
    make: () =>
      expiringWhen(
        (age, { madeAt }) => age >= (/-02-28/.test(new Date(madeAt).toISOString()) ? 2 * day : day),
      ),
  },
  {
    name: 'years-begin-anew',
    means: 'Days are counted within the year',
    make: () =>
      expiringWhen(
        (age, { madeAt }) =>
          age >= (/-12-31/.test(new Date(madeAt).toISOString()) ? 365 * day : day),
      ),
  },
  {
    name: '32-bit-seconds',
    means: 'The end is kept as signed 32-bit seconds',
    make: () =>
      expiringWhen(
        (_age, { madeAt }, now) => Math.floor(now / 1000) >= (((madeAt + day) / 1000) | 0),
      ),
  },
];
