import type { Behaviour } from '../behaviour.ts';
import { day } from '../behaviour.ts';
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
  {
    name: 'calendar-of-berlin',
    means: '24 hours are counted by the clocks of Berlin',
    make: () => byCalendarOf('Europe/Berlin'),
  },
  {
    name: 'calendar-of-new-york',
    means: '24 hours are counted by the clocks of New York',
    make: () => byCalendarOf('America/New_York'),
  },
  {
    name: 'calendar-of-santiago',
    means: '24 hours are counted by the clocks of Santiago',
    make: () => byCalendarOf('America/Santiago'),
  },
  {
    name: 'calendar-of-sydney',
    means: '24 hours are counted by the clocks of Sydney',
    make: () => byCalendarOf('Australia/Sydney'),
  },
  {
    name: 'calendar-of-lord-howe',
    means: '24 hours are counted by the clocks of Lord Howe',
    make: () => byCalendarOf('Australia/Lord_Howe'),
  },
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
