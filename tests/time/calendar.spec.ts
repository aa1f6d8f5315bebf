import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { nextRevivalStart } from '../../contract/attempts/revivals.ts';
import { days, duration, hours, lifetime, minutes, seconds } from '../../contract/durations.ts';
import { hardDates, hardDays } from '../../contract/time/calendar.ts';

const at = (text: string): number => Date.parse(text);
const iso = (instant: number): string => new Date(instant).toISOString();
const autumn = at('2026-11-21T05:00:00Z');

test('the hard days match the calendar', () => {
  const found = hardDays(autumn).map(({ start, what }) => [iso(start).slice(0, 16), what]);
  expect(found).toEqual([
    ['2026-11-30T12:00', 'the end of 2026-11'],
    ['2026-12-30T12:00', '30 and 31 December'],
    ['2026-12-31T12:00', 'the end of 2026-12'],
    ['2027-01-31T12:00', 'the end of 2027-01'],
    ['2027-02-28T12:00', 'the end of 2027-02'],
    ['2027-03-13T19:00', 'clocks going forward in America/New_York'],
    ['2027-03-27T13:00', 'clocks going forward in Europe/Berlin'],
    ['2027-04-03T03:15', 'clocks going back in America/Santiago'],
    ['2027-09-04T16:00', 'clocks going forward in America/Santiago'],
    ['2027-10-30T01:15', 'clocks going back in Europe/Berlin'],
    ['2027-11-06T06:15', 'clocks going back in America/New_York'],
    ['2028-02-28T12:00', '28 and 29 February'],
    ['2028-02-29T12:00', '29 February and 1 March'],
    ['2038-01-18T15:14', 'the end of signed 32-bit seconds'],
  ]);
});

/** Returns a function that tells how far the clocks of a zone are ahead of UTC at an instant (milliseconds). */
function offsets(timeZone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign, hour, minute] = /GMT([+-])(\d+):(\d+)/.exec(format.format(instant)) ?? [];
    return (sign === '-' ? -1 : 1) * (hours(Number(hour)) + minutes(Number(minute)));
  };
}

test('the clocks of each zone change when the time zone database says so', () => {
  for (let now = at('2025-12-01T00:00:00Z'); now < at('2036-01-01T00:00:00Z'); now += days(100)) {
    const dates = hardDates(now).filter(({ what }) => what.startsWith('clocks'));
    expect(dates).toHaveLength(6);
    for (const { instant, what } of dates) {
      const offset = offsets(what.split(' ').at(-1) ?? '');
      const [before, after] = [offset(instant - 1), offset(instant)];
      expect(after - before, `${what} at ${iso(instant)}`).toBe(
        what.includes('back') ? -hours(1) : hours(1),
      );
    }
  }
});

test('the end is in the repeated hour where clocks go back', () => {
  const fall = hardDays(autumn).find(({ what }) => what === 'clocks going back in Europe/Berlin');
  expect(fall && iso(fall.start + days(1))).toBe('2027-10-31T01:15:00.000Z');
});

const instants = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') });

test('hard days begin ahead on whole seconds, ascend, and each holds a hard date', () => {
  fc.assert(
    fc.property(instants, (now) => {
      const hard = hardDates(now).map(({ instant }) => instant);
      const starts = hardDays(now).map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      const wrong = hardDays(now).filter(
        ({ start }) =>
          start < now ||
          start % 1000 !== 0 ||
          !hard.some((instant) => instant > start && instant < start + days(1)),
      );
      expect(wrong).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

test('an ordinary day holds no hard date, and comes within four weeks', () => {
  fc.assert(
    fc.property(instants, (now) => {
      // One ordinary day goes over the end of signed 32-bit seconds.
      fc.pre(now < at('2038-01-01T00:00:00Z') || now > at('2038-02-01T00:00:00Z'));
      const day = nextRevivalStart(now);
      expect(day - now).toBeLessThan(days(28));
      const held = hardDates(now - days(3)).filter(
        ({ instant }) => instant >= day && instant <= day + hours(24),
      );
      expect(held).toEqual([]);
    }),
    { numRuns: 15 },
  );
});

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
