import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { doubtedUntil, type Window, windowAt } from '../../monitor/loop/maintenance.ts';

test('windows that touch or overlap are merged, with the note that holds now', () => {
  const windows: Window[] = [
    { from: 20, until: 40, note: 'move' },
    { from: 10, until: 30, note: 'weekend' },
    { from: 40, until: 50 },
    { from: 51, until: 60 },
  ];
  const whole = { from: 10, until: 50 };
  expect(windowAt(windows, 15)).toEqual({ ...whole, note: 'weekend' });
  expect(windowAt(windows, 35)).toEqual({ ...whole, note: 'move' });
  expect(windowAt(windows, 45)).toEqual(whole);
  expect(windowAt(windows, 50)).toBeUndefined();
});

test('any instant lies in its reported window, and the edges are those of a window', () => {
  const window = fc
    .tuple(fc.nat(100), fc.integer({ min: 1, max: 30 }))
    .map(([from, length]) => ({ from, until: from + length }));
  fc.assert(
    fc.property(fc.array(window, { maxLength: 5 }), fc.nat(130), (windows, now) => {
      const holds = (instant: number): boolean =>
        windows.some(({ from, until }) => from <= instant && instant < until);
      const { from, until } = windowAt(windows, now) ?? { from: now, until: now };
      expect(until > now).toBe(holds(now));
      expect(from <= now && now <= until).toBe(true);
      const inside = Array.from({ length: until - from }, (_, after) => from + after);
      expect(inside.filter((instant) => !holds(instant))).toEqual([]);
      if (from < until) expect([holds(from - 1), holds(until)]).toEqual([false, false]);
    }),
  );
});

test('what a provider stored is in doubt after the last window between two instants', () => {
  const windows = [
    { from: 10, until: 20 },
    { from: 30, until: 40 },
  ];
  expect(doubtedUntil(windows, 0, 9)).toBeUndefined();
  expect(doubtedUntil(windows, 0, 10)).toBe(20);
  expect(doubtedUntil(windows, 19, 30)).toBe(40);
  expect(doubtedUntil(windows, 20, 29)).toBeUndefined();
});
