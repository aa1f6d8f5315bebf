import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { hardDates, hardDays, ordinaryDay } from '../../contract/calendar.ts';
import { days, hours } from '../../contract/clock.ts';

const at = (text: string): number => Date.parse(text);
const autumn = at('2026-11-21T05:00:00Z');

test('the hard dates of a year are those of its calendar', () => {
  const told = hardDates(autumn).map(({ instant, what }) => [
    new Date(instant).toISOString(),
    what,
  ]);
  expect(told).toEqual([
    ['2026-12-01T00:00:00.000Z', 'the end of 2026-11'],
    ['2027-01-01T00:00:00.000Z', 'the end of 2026'],
    ['2027-02-01T00:00:00.000Z', 'the end of 2027-01'],
    ['2027-03-01T00:00:00.000Z', 'the end of 2027-02'],
    ['2027-03-14T07:00:00.000Z', 'clocks going forward in America/New_York'],
    ['2027-03-28T01:00:00.000Z', 'clocks going forward in Europe/Berlin'],
    ['2027-04-03T15:00:00.000Z', 'clocks going back in Australia/Lord_Howe'],
    ['2027-04-03T16:00:00.000Z', 'clocks going back in Australia/Sydney'],
    ['2027-04-04T03:00:00.000Z', 'clocks going back in America/Santiago'],
    ['2027-09-05T04:00:00.000Z', 'clocks going forward in America/Santiago'],
    ['2027-10-02T15:30:00.000Z', 'clocks going forward in Australia/Lord_Howe'],
    ['2027-10-02T16:00:00.000Z', 'clocks going forward in Australia/Sydney'],
    ['2027-10-31T01:00:00.000Z', 'clocks going back in Europe/Berlin'],
    ['2027-11-07T06:00:00.000Z', 'clocks going back in America/New_York'],
    ['2028-02-29T00:00:00.000Z', '28 and 29 February'],
    ['2028-03-01T00:00:00.000Z', '29 February and 1 March'],
    ['2038-01-19T03:14:08.000Z', 'the end of signed 32-bit seconds'],
  ]);
});

test('dates between the same two noons share a day', () => {
  const shared = hardDays(autumn).filter(({ what }) => what.includes(', and '));
  expect(shared).toEqual([
    {
      noon: at('2027-04-03T12:00:00Z'),
      what: 'clocks going back in Australia/Lord_Howe, and clocks going back in Australia/Sydney, and clocks going back in America/Santiago',
    },
    {
      noon: at('2027-10-02T12:00:00Z'),
      what: 'clocks going forward in Australia/Lord_Howe, and clocks going forward in Australia/Sydney',
    },
  ]);
});

test('after 19 January 2038 the end of 32-bit seconds lies behind', () => {
  const whats = hardDates(at('2038-02-01T00:00:00Z')).map(({ what }) => what);
  expect(whats).not.toContain('the end of signed 32-bit seconds');
  expect(whats).toContain('28 and 29 February');
});

test('1900 and 2100 are no leap years', () => {
  const leap = hardDates(at('2097-01-01T00:00:00Z')).find(({ what }) => what.startsWith('28 and'));
  expect(leap?.instant).toBe(at('2104-02-29T00:00:00Z'));
});

const instants = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2060-01-01T00:00:00Z') });

test('hard days begin ahead, ascend, and each holds a hard date', () => {
  fc.assert(
    fc.property(instants, (now) => {
      const hard = hardDates(now).map(({ instant }) => instant);
      const noons = hardDays(now).map(({ noon }) => noon);
      expect(noons).toEqual([...new Set(noons)].sort((one, other) => one - other));
      for (const noon of noons) {
        expect(noon).toBeGreaterThanOrEqual(now);
        expect(new Date(noon).getUTCHours()).toBe(12);
        expect(hard.some((instant) => instant >= noon && instant < noon + days(1))).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

test('an ordinary day holds no hard date, and comes within a fortnight', () => {
  fc.assert(
    fc.property(instants, (now) => {
      const day = ordinaryDay(now);
      expect(day - now).toBeLessThan(days(14));
      const hard = hardDates(now - days(3)).map(({ instant }) => instant);
      expect(hard.filter((instant) => instant >= day && instant <= day + hours(24))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
