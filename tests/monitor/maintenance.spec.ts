import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type Window, windowAt } from '../../monitor/schedule/maintenance.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Milliseconds since 1970 of an instant in UTC. */
const at = (text: string): number => Date.parse(`${text}Z`);

/** 2026-12-06 is a Sunday. */
const sundayNight: Window = { days: [0], at: 23.5 * hour, length: hour, note: 'backup' };

test('a window begins with its first instant and ends before its last', () => {
  const once = { from: at('2026-12-01T02:00'), until: at('2026-12-01T03:00'), note: 'move' };
  expect(windowAt([once], once.from - 1)).toBeUndefined();
  expect(windowAt([once], once.from)).toEqual(once);
  expect(windowAt([once], once.until - 1)).toEqual(once);
  expect(windowAt([once], once.until)).toBeUndefined();
});

test('a weekly window has both its edges on its day, over midnight too, and over the end of a week', () => {
  const from = at('2026-12-06T23:30');
  const until = at('2026-12-07T00:30');
  for (const weeks of [-60, 0, 1, 400]) {
    const later = weeks * 7 * day;
    const message = { from: from + later, until: until + later, note: 'backup' };
    expect(windowAt([sundayNight], from + later - 1)).toBeUndefined();
    expect(windowAt([sundayNight], from + later)).toEqual(message);
    expect(windowAt([sundayNight], until + later - 1)).toEqual(message);
    expect(windowAt([sundayNight], until + later)).toBeUndefined();
  }
  for (const other of [1, 2, 3, 4, 5, 6])
    expect(windowAt([sundayNight], from + other * day)).toBeUndefined();
});

test('a window from Saturday night to Sunday morning is a single window', () => {
  const saturday: Window = { days: [6], at: 22 * hour, length: 6 * hour };
  expect(windowAt([saturday], at('2026-12-06T03:59:59.999'))).toEqual({
    from: at('2026-12-05T22:00'),
    until: at('2026-12-06T04:00'),
  });
  expect(windowAt([saturday], at('2026-12-06T04:00'))).toBeUndefined();
});

test('each day of the week matches the calendar', () => {
  for (const weekday of [0, 1, 2, 3, 4, 5, 6]) {
    const noon = at('2024-02-25T12:00') + weekday * day;
    expect(new Date(noon).getUTCDay()).toBe(weekday);
    const window: Window = { days: [weekday], at: 12 * hour, length: 1 };
    expect(windowAt([window], noon)).toEqual({ from: noon, until: noon + 1 });
    expect(windowAt([window], noon + day)).toBeUndefined();
  }
});

test('a window of almost a week is seen on its last day', () => {
  const long: Window = { days: [1], at: 0, length: 7 * day - 60_000 };
  const monday = at('2026-12-07T00:00');
  expect(windowAt([long], monday + 7 * day - 60_001)).toEqual({
    from: monday,
    until: monday + 7 * day - 60_000,
  });
  expect(windowAt([long], monday + 7 * day - 60_000)).toBeUndefined();
});

test('windows that touch or overlap are merged, with the note that holds now', () => {
  const windows: Window[] = [
    { days: [6, 0], at: 0, length: day, note: 'weekend' },
    { from: at('2026-12-06T23:00'), until: at('2026-12-07T05:00'), note: 'move' },
    { from: at('2026-12-07T05:00'), until: at('2026-12-07T06:00') },
    { from: at('2026-12-07T06:00:00.001'), until: at('2026-12-07T07:00') },
  ];
  const whole = { from: at('2026-12-05T00:00'), until: at('2026-12-07T06:00') };
  expect(windowAt(windows, at('2026-12-05T12:00'))).toEqual({ ...whole, note: 'weekend' });
  expect(windowAt(windows, at('2026-12-07T01:00'))).toEqual({ ...whole, note: 'move' });
  expect(windowAt(windows, at('2026-12-07T05:30'))).toEqual(whole);
  expect(windowAt(windows, at('2026-12-07T06:00'))).toBeUndefined();
});

test('no maintenance is reported without a window', () => {
  expect(windowAt([], 0)).toBeUndefined();
});

test('any instant lies in its reported window, and the edges are those of a window', () => {
  const weekly = fc.record({
    days: fc.uniqueArray(fc.nat(6), { minLength: 1 }),
    at: fc.nat(day - 1),
    length: fc.integer({ min: 1, max: day - 1 }),
  });
  const monday = at('2026-12-07T00:00');
  const once = fc
    .tuple(fc.nat(7 * day), fc.integer({ min: 1, max: day }))
    .map(([from, length]) => ({ from: monday + from, until: monday + from + length }));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(weekly, once), { maxLength: 4 }),
      fc.nat(7 * day),
      (windows: Window[], after) => {
        const now = monday + after;
        const message = windowAt(windows, now);
        expect(message !== undefined).toBe(windows.some((window) => holds(window, now)));
        if (message === undefined) return;
        // Windows are merged only up to a week before and after.
        fc.pre(message.until - message.from < 7 * day);
        const lies = message.from <= now && now < message.until;
        const edges = [message.from - 1, message.until];
        const open = edges.filter((edge) => windows.some((window) => holds(window, edge)));
        expect([lies, open]).toEqual([true, []]);
      },
    ),
    { numRuns: 500 },
  );
});

/** Whether an instant is in a window, computed in another way: from the days of the calendar. */
function holds(window: Window, now: number): boolean {
  if (!('days' in window)) return window.from <= now && now < window.until;
  return [0, 1, 2, 3, 4, 5, 6, 7].some((back) => {
    const midnight = new Date(now - back * day).setUTCHours(0, 0, 0, 0);
    const from = midnight + window.at;
    const right = window.days.includes(new Date(midnight).getUTCDay());
    return right && from <= now && now < from + window.length;
  });
}
