import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { beforeRevivals, revivals } from '../../contract/attempts/revivals.ts';
import { days, hours, lifetime } from '../../contract/time/clock.ts';

const madeAt = beforeRevivals(Date.UTC(2026, 10, 22, 19, 0, 0));
const ages = revivals.map(({ ageMs }) => ageMs);

/** Whether the checks find a token that becomes valid again because its age wraps after `periodMs`. */
const seenWrapping = (periodMs: number): boolean => ages.some((age) => age % periodMs < days(1));

test('an age is checked for wrapping after a week, a month, a year and eleven years', () => {
  const periods = [7, 30, 30.4375, 31, 365, 365.25, 4017.75, 4018];
  expect(periods.filter((count) => !seenWrapping(days(count)))).toEqual([]);
});

test('a 32-bit counter of milliseconds is checked at its first wrap', () => {
  for (const period of [2 ** 31, 2 ** 32])
    expect(ages.some((age) => age > period && age < period + days(1))).toBe(true);
});

test('the same date of another month and of another year is checked', () => {
  const dates = ages.map((age) => new Date(madeAt + age));
  const made = new Date(madeAt);
  const same = dates.filter((date) => date.getUTCDate() === made.getUTCDate());
  const month = (date: Date): number => date.getUTCMonth() + 12 * date.getUTCFullYear();
  expect(same.map((date) => month(date) - month(made))).toEqual(expect.arrayContaining([1, 12]));
});

test('ages ascend, all after the end, with lower minutes and seconds than the start', () => {
  expect(ages.filter((age, index) => age <= (ages[index - 1] ?? lifetime))).toEqual([]);
  const late = ages.filter((age) => age > days(1.8));
  expect(late.filter((age) => (madeAt + age) % hours(1) >= madeAt % hours(1))).toEqual([]);
});

test('a token that is checked for revivals is made in mid-month, within a fortnight', () => {
  fc.assert(
    fc.property(fc.integer({ min: Date.UTC(2020), max: Date.UTC(2060) }), (now) => {
      const start = beforeRevivals(now);
      expect(start).toBeGreaterThanOrEqual(now);
      expect(start - now).toBeLessThan(days(15));
      expect(Math.abs(new Date(start).getUTCDate() - 15)).toBeLessThan(10);
    }),
    { numRuns: 50 },
  );
});
