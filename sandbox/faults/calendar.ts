import { type Behaviour, day } from '../behaviour.ts';
import { expiringWhen, fault, type Mutant } from './fault.ts';

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
    ([place = '', zone = '']): Mutant =>
      fault(
        `calendar-of-${place.toLowerCase().replace(' ', '-')}`,
        `24 hours are counted by the clocks of ${place}`,
        () => byCalendarOf(zone),
      ),
  ),
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
