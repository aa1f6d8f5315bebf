import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { type Window, windowAt } from '../../monitor/schedule/maintenance.ts';
import { instantOf, isTimeZone } from '../../monitor/schedule/time-zone.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = (text: string): number => Date.parse(`${text}Z`);
const text = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 16);

/** The local time of a zone according to the JavaScript runtime: `2026-03-29 03:30`. */
const shown = (instant: number, timeZone: string): string =>
  new Date(instant).toLocaleString('sv-SE', { timeZone }).slice(0, 16);

/** A window every Sunday from 02:30 to 03:30. */
const sundays = (timeZone?: string): Window[] => [
  { days: [0], at: 2.5 * hour, length: hour, timeZone },
];

for (const [what, zone, sunday, from] of [
  ['in winter', 'Europe/Berlin', '2026-01-11', '2026-01-11T01:30'],
  ['in summer', 'Europe/Berlin', '2026-07-12', '2026-07-12T00:30'],
  ['as if clocks had not gone forward', 'Europe/Berlin', '2026-03-29', '2026-03-29T01:30'],
  ['the first time, before clocks go back', 'Europe/Berlin', '2026-10-25', '2026-10-25T00:30'],
  ['as if clocks had not gone forward', 'America/New_York', '2026-03-08', '2026-03-08T07:30'],
  ['before clocks go back', 'America/New_York', '2026-11-01', '2026-11-01T07:30'],
  ['on the day before that of UTC', 'Pacific/Kiritimati', '2026-06-07', '2026-06-06T12:30'],
  ['late on the day of UTC', 'Pacific/Pago_Pago', '2026-06-07', '2026-06-07T13:30'],
  ['at three quarters of an hour', 'Asia/Kathmandu', '2026-06-07', '2026-06-06T20:45'],
  ['where clocks go by half an hour', 'Australia/Lord_Howe', '2026-04-05', '2026-04-04T16:00'],
] as const)
  test(`a weekly window keeps its local time: ${zone} on ${sunday}, ${what}`, () => {
    const begin = at(from);
    const window = windowAt(sundays(zone), begin + 1);
    expect([text(window?.from), text(window?.until)]).toEqual([from, text(begin + hour)]);
    expect(windowAt(sundays(zone), begin - 1)).toBeUndefined();
    expect(windowAt(sundays(zone), begin + hour)).toBeUndefined();
  });

test('a window without a time zone is in UTC', () => {
  expect(text(windowAt(sundays(), at('2026-07-12T03:00'))?.from)).toBe('2026-07-12T02:30');
  expect(windowAt(sundays('UTC'), at('2026-07-12T03:00'))).toEqual(
    windowAt(sundays(), at('2026-07-12T03:00')),
  );
});

test('the length of a window is elapsed time, also while clocks change', () => {
  const night: Window[] = [{ days: [0], at: hour, length: 4 * hour, timeZone: 'Europe/Berlin' }];
  const window = windowAt(night, at('2026-03-29T02:00'));
  expect([text(window?.from), text(window?.until)]).toEqual([
    '2026-03-29T00:00',
    '2026-03-29T04:00',
  ]);
});

test('a window begins at its local time on every day of a year, except a time that is skipped', () => {
  for (const [zone, skipped] of [
    ['Europe/Berlin', ['2026-03-29 03:30']],
    ['America/New_York', ['2026-03-08 03:30']],
    ['Australia/Lord_Howe', []],
    ['Asia/Kathmandu', []],
    ['Pacific/Kiritimati', []],
  ] as const) {
    const odd = Array.from({ length: 365 }, (_, index) => at('2026-01-01T02:30') + index * day)
      .map((local) => [text(local)?.replace('T', ' '), shown(instantOf(local, zone), zone)])
      .filter(([wanted, found]) => wanted !== found)
      .map(([, found]) => found);
    expect([zone, odd]).toEqual([zone, skipped]);
  }
});

test('any instant lies in a window when clocks show so, where they do not change', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Asia/Kolkata', 'America/Bogota', 'Pacific/Kiritimati', 'Asia/Tokyo'),
      fc.nat(23 * 60),
      fc.nat(365 * 24 * 60),
      (timeZone, minutes, after) => {
        const days = [1, 3, 4];
        const window = { days, at: minutes * minute, length: 45 * minute, timeZone };
        const now = at('2026-01-01T00:00') + after * minute;
        const [date = '', time = ''] = shown(now, timeZone).split(' ');
        const [hours = 0, rest = 0] = time.split(':').map(Number);
        const since = hours * 60 + rest - minutes;
        const weekday = new Date(`${date}T00:00Z`).getUTCDay();
        // Another test has the windows that continue after midnight.
        fc.pre(minutes < 23 * 60);
        const expected = days.includes(weekday) && since >= 0 && since < 45;
        expect(windowAt([window], now) !== undefined).toBe(expected);
      },
    ),
    { numRuns: 500 },
  );
});

test('a window that is asked about on one day after another is that of each day', () => {
  const windows = sundays('Europe/Berlin');
  const begins = Array.from({ length: 60 }, (_, index) =>
    text(windowAt(windows, at('2026-03-01T01:40') + index * day)?.from),
  );
  expect(begins.filter((one) => one !== undefined)).toEqual([
    '2026-03-01T01:30',
    '2026-03-08T01:30',
    '2026-03-15T01:30',
    '2026-03-22T01:30',
    '2026-03-29T01:30',
  ]);
});

test('names of zones are those of the IANA database, and offsets are not names', () => {
  for (const name of ['Europe/Berlin', 'europe/berlin', 'UTC', 'US/Pacific', 'Asia/Calcutta'])
    expect([name, isTimeZone(name)]).toEqual([name, true]);
  for (const name of ['', 'Berlin', '+02:00', 'Europe/Berln', 'CEST', 'local'])
    expect([name, isTimeZone(name)]).toEqual([name, false]);
});
