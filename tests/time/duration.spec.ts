import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import {
  days,
  duration,
  hours,
  lifetime,
  minutes,
  nextWholeSecond,
  seconds,
} from '../../contract/time/clock.ts';

const message: [ms: number, as: string][] = [
  [0, '0 h 00 min 00.000 s'],
  [1, '0 h 00 min 00.001 s'],
  [999.6, '0 h 00 min 01.000 s'],
  [seconds(59) + 999, '0 h 00 min 59.999 s'],
  [minutes(1), '0 h 01 min 00.000 s'],
  [lifetime - 1, '23 h 59 min 59.999 s'],
  [lifetime, '24 h 00 min 00.000 s'],
  [lifetime + 1, '24 h 00 min 00.001 s'],
  [days(2) - 1, '47 h 59 min 59.999 s'],
  [days(2), '2 d 0 h 00 min 00.000 s'],
  [days(366) + hours(1), '366 d 1 h 00 min 00.000 s'],
  [-1, '-0 h 00 min 00.001 s'],
  [-0.4, '0 h 00 min 00.000 s'],
];

for (const [ms, as] of message)
  test(`${ms} ms are formatted as ${as}`, () => {
    expect(duration(ms)).toBe(as);
  });

test('a duration never contains 60 of a unit', () => {
  fc.assert(
    fc.property(fc.double({ min: -days(4000), max: days(4000), noNaN: true }), (ms) => {
      expect(duration(ms)).toMatch(/^-?(\d+ d )?\d{1,2} h [0-5]\d min [0-5]\d\.\d{3} s$/);
    }),
  );
});

test('the next whole second is after the instant, by at most a second', () => {
  expect(nextWholeSecond(0)).toBe(1000);
  expect(nextWholeSecond(1)).toBe(1000);
  expect(nextWholeSecond(999)).toBe(1000);
  expect(nextWholeSecond(1000)).toBe(2000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), (instant) => {
      const next = nextWholeSecond(instant);
      expect(next % 1000).toBe(0);
      expect(next - instant).toBeGreaterThan(0);
      expect(next - instant).toBeLessThanOrEqual(1000);
    }),
  );
});
