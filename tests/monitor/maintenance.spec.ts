import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { doubtedUntil, type Window, windowAt } from '../../monitor/loop/maintenance.ts';

/** Milliseconds since 1970 of an instant in UTC. */
const at = (text: string): number => Date.parse(`${text}Z`);

test('a window begins with its first instant and ends before its last', () => {
  const window = { from: at('2026-12-01T02:00'), until: at('2026-12-01T03:00'), note: 'move' };
  expect(windowAt([window], window.from - 1)).toBeUndefined();
  expect(windowAt([window], window.from)).toEqual(window);
  expect(windowAt([window], window.until - 1)).toEqual(window);
  expect(windowAt([window], window.until)).toBeUndefined();
});

test('windows that touch or overlap are merged, with the note that holds now', () => {
  const windows: Window[] = [
    { from: at('2026-12-06T23:00'), until: at('2026-12-07T05:00'), note: 'move' },
    { from: at('2026-12-05T00:00'), until: at('2026-12-07T00:00'), note: 'weekend' },
    { from: at('2026-12-07T05:00'), until: at('2026-12-07T06:00') },
    { from: at('2026-12-07T06:00:00.001'), until: at('2026-12-07T07:00') },
  ];
  const whole = { from: at('2026-12-05T00:00'), until: at('2026-12-07T06:00') };
  expect(windowAt(windows, at('2026-12-05T12:00'))).toEqual({ ...whole, note: 'weekend' });
  expect(windowAt(windows, at('2026-12-07T01:00'))).toEqual({ ...whole, note: 'move' });
  expect(windowAt(windows, at('2026-12-07T05:30'))).toEqual(whole);
  expect(windowAt(windows, whole.until)).toBeUndefined();
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
