import { expect, test } from '@playwright/test';
import type { Age } from '../../monitor/canary/age.ts';
import { checkTimes, dueIn, reachedAge } from '../../monitor/canary/check-times.ts';
import { dayMs } from './canary-world.ts';

const tolerance = { toleranceMs: 5_000 };
const hour = 3_600_000;
const minute = 60_000;
const rungBefore = dayMs - 30_000;
const rungAfter = dayMs + 30_000;
const lastRung = 8 * dayMs;

const exactly = (ms: number): Age => ({ least: ms, most: ms });
const due = (age: Age, climbed: number) => dueIn(age, climbed, tolerance);

test('the check times are those of the design', () => {
  expect(checkTimes(tolerance)).toEqual([
    hour,
    12 * hour,
    23 * hour,
    dayMs - 30 * minute,
    dayMs - 5 * minute,
    rungBefore,
    rungAfter,
    dayMs + 5 * minute,
    dayMs + hour,
    ...[2, 3, 4, 5, 6, 7, 8].map((count) => count * dayMs),
  ]);
});

test('a violation adds two check times, at the tolerance before and after the end', () => {
  for (const [toleranceMs, close] of [
    [5_000, 4_000],
    [1_000, 500],
    [0, 500],
    [60_000, 59_000],
  ] as const) {
    const usual = checkTimes({ toleranceMs });
    const more = checkTimes({ toleranceMs, closer: true }).filter((rung) => !usual.includes(rung));
    expect(more).toEqual([dayMs - close, dayMs + close]);
  }
});

test('no check is due between the tolerance and the first check time after it', () => {
  expect(due(exactly(dayMs + 5_000), rungBefore)).toBe(25_000);
  expect(due(exactly(dayMs + 5_001), rungBefore - hour)).toBe(24_999);
  expect(due(exactly(dayMs + 20_000), rungBefore - hour)).toBe(10_000);
  expect(due(exactly(rungAfter - 1_000), rungBefore)).toBe(1_000);
  const closer = { ...tolerance, closer: true };
  expect(dueIn(exactly(dayMs), dayMs - 4_000, closer)).toBe(4_000);
  expect(dueIn(exactly(dayMs + 5_000), dayMs - 4_000, closer)).toBe(0);
  expect(dueIn(exactly(dayMs + 5_001), dayMs - 4_000, closer)).toBe(24_999);
});

test('the maximum decides when a check is due before the end, and the minimum after it', () => {
  expect(due({ least: 0, most: 10 * minute }, 0)).toBe(50 * minute);
  expect(due({ least: 23 * hour, most: rungBefore - 7 }, rungBefore - minute)).toBe(7);
  expect(due({ least: dayMs - 20_000, most: dayMs + 90_000 }, rungBefore)).toBe(50_000);
  expect(due({ least: dayMs - 20_000, most: dayMs - 10_000 }, rungBefore)).toBe(50_000);
  expect(due({ least: rungAfter - 1, most: dayMs + hour }, rungBefore)).toBe(1);
  expect(due({ least: rungAfter, most: dayMs + hour }, rungBefore)).toBe(0);
});

test('a late check covers all check times that have passed', () => {
  const slept: Age = { least: 2 * hour, most: 13 * hour };
  expect(due(slept, 0)).toBe(0);
  expect(due(slept, reachedAge(slept))).toBe(10 * hour);
  expect(due(exactly(3.5 * dayMs), 2 * hour)).toBe(0);
  expect(due(exactly(3.5 * dayMs), 3.5 * dayMs)).toBe(dayMs / 2);
});

test('an unknown upper bound leads to occasional checks, and to each check time after the end', () => {
  const known = (least: number): Age => ({ least, most: Infinity });
  expect(due(known(2 * hour), hour)).toBe(10 * hour);
  expect(due(known(12 * hour), hour)).toBe(0);
  expect(due(known(dayMs), rungBefore)).toBe(30_000);
});

test('a check just before its check time counts for it', () => {
  expect(due(exactly(hour - 1_000), hour - 1_000)).toBe(11 * hour + 1_000);
  expect(due(exactly(hour - 1_001), hour - 1_001)).toBe(1_001);
});

test('no check is due after the last check time', () => {
  expect(due(exactly(lastRung - hour), lastRung - hour)).toBe(hour);
  expect(due(exactly(lastRung), lastRung - hour)).toBe(0);
  expect(due(exactly(lastRung), lastRung)).toBeUndefined();
});
