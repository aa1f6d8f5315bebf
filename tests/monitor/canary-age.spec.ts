import { expect, test } from '@playwright/test';
import {
  type Age,
  ageAt,
  createAnchor,
  isDated,
  moveAnchor,
  type Reading,
} from '../../monitor/canary/age.ts';
import { findPhase, judgeAge, tighten } from '../../monitor/canary/verdict.ts';
import { dayMs } from './canary-world.ts';

const wallAt = Date.UTC(2027, 2, 1);

/** The reading of all clocks `ms` milliseconds after the beginning. */
const at = (ms: number, otherwise: Partial<Reading> = {}): Reading => ({
  boot: 'one',
  monotonic: 1_000 + ms,
  uptime: 1_000 + ms,
  wall: wallAt + ms,
  ...otherwise,
});

const made = createAnchor({ s: at(0), r: at(200) });

test('the minimum age counts from the answer to the request, and the maximum from the request to the answer', () => {
  expect(ageAt(made, { s: at(5_000), r: at(5_300) })).toEqual({ least: 4_800, most: 5_310 });
});

for (const [what, later, most] of [
  ['by uptime, which counts a sleep', { uptime: 1_000 + 90_000 }, 90_010],
  ['by the wall clock', { wall: wallAt + 90_000 }, 90_001],
  ['by the monotonic clock where the others lag', { uptime: 6_200, wall: wallAt }, 5_300],
  ['and nothing by a wall clock that was set back', { wall: wallAt - 90_000 }, 5_310],
] as const)
  test(`the maximum is computed ${what}, and the minimum by the monotonic clock`, () => {
    expect(ageAt(made, { s: at(5_000), r: at(5_300, later) })).toEqual({ least: 4_800, most });
  });

test('a Date reveals a stop of the whole machine, beyond a margin of two seconds and both exchanges', () => {
  const dated = createAnchor({ s: at(0), r: at(200, { provider: 7_000_000 }) });
  const r = at(5_300, { provider: 7_090_000 });
  expect(ageAt(dated, { s: at(5_000), r }).most).toBe(90_000 + 2_000 + 210 + 310);
  expect(ageAt(dated, { s: at(5_000), r: at(5_300) }).most).toBe(5_310);
  expect(ageAt(made, { s: at(5_000), r }).most).toBe(5_310);
});

test('a Date confirms an age that it gives within a minute and the time of the exchange', () => {
  const dated = createAnchor({ s: at(0), r: at(200, { provider: 7_000_000 }) });
  const confirms = (provider?: number): boolean =>
    isDated(dated, { s: at(5_000), r: at(5_300, { provider }) });
  // The Date that fits exactly, with a margin of two seconds.
  const exact = 7_000_000 - 210 - 2_000 + 5_310;
  expect([-60_310, 60_310].map((ms) => confirms(exact + ms))).toEqual([true, true]);
  expect([-60_311, 60_311].map((ms) => confirms(exact + ms))).toEqual([false, false]);
  expect(confirms()).toBe(false);
  expect(isDated(made, { s: at(5_000), r: at(5_300, { provider: exact }) })).toBe(false);
});

test('the gap between two boots is unknown, and a minimum that was proven before it continues', () => {
  const rebooted = { s: at(50_000, { boot: 'two' }), r: at(50_100, { boot: 'two' }) };
  expect(ageAt(made, rebooted)).toEqual({ least: 0, most: Infinity });
  const anchor = moveAnchor(moveAnchor(made, at(40_000)), at(3_000, { boot: 'two' }));
  expect(ageAt(anchor, rebooted)).toEqual({ least: 86_800, most: Infinity });
});

test('a moved anchor gives the same age within one boot', () => {
  const seen = { s: at(90_000), r: at(90_400) };
  expect(ageAt(moveAnchor(moveAnchor(made, at(30_000)), at(60_000)), seen)).toEqual(
    ageAt(made, seen),
  );
});

for (const [what, later] of [
  ['a monotonic clock that went back', { monotonic: 1_100 }],
  ['an uptime that went back', { uptime: 900 }],
  ['a clock that is no number', { monotonic: Number.NaN }],
] as const)
  test(`${what} counts as another boot`, () => {
    const s = at(5_000, later);
    const r = at(5_300, later);
    expect(ageAt(made, { s, r })).toEqual({ least: 0, most: Infinity });
  });

test('an uptime that lags by its own resolution is not a contradiction', () => {
  const anchor = createAnchor({ s: at(0), r: at(0) });
  const now = at(5, { uptime: 991 });
  expect(ageAt(anchor, { s: now, r: now })).toEqual({ least: 5, most: 6 });
});

const exactly = (ms: number): Age => ({ least: ms, most: ms });
const tolerance = { toleranceMs: 5_000 };

for (const [age, admitted, verdict] of [
  [exactly(dayMs - 1), true, 'ok'],
  [exactly(dayMs), true, 'undecided'],
  [exactly(dayMs + 5_000), true, 'undecided'],
  [exactly(dayMs + 5_001), true, 'late_accept'],
  [{ least: dayMs + 5_000, most: Infinity }, true, 'undecided'],
  [{ least: dayMs + 5_001, most: Infinity }, true, 'late_accept'],
  [{ least: 0, most: dayMs - 1 }, true, 'ok'],
  [{ least: 0, most: dayMs }, true, 'undecided'],
  [exactly(dayMs), false, 'ok'],
  [exactly(dayMs - 1), false, 'undecided'],
  [exactly(dayMs - 5_000), false, 'undecided'],
  [exactly(dayMs - 5_001), false, 'early_reject'],
  [{ least: 0, most: dayMs - 5_000 }, false, 'undecided'],
  [{ least: 0, most: dayMs - 5_001 }, false, 'early_reject'],
  [{ least: dayMs, most: Infinity }, false, 'ok'],
  [{ least: dayMs - 1, most: Infinity }, false, 'undecided'],
] as const)
  test(`a token of ${age.least} to ${age.most} ms that is ${admitted ? 'admitted' : 'refused'} is ${verdict}`, () => {
    expect(judgeAge(age, admitted, tolerance)).toBe(verdict);
  });

test('a second is tolerated at any tolerance, since JWTs count whole seconds', () => {
  for (const toleranceMs of [0, 999, 1_000, -5, Number.NaN]) {
    expect(judgeAge(exactly(dayMs - 1_000), false, { toleranceMs })).toBe('undecided');
    expect(judgeAge(exactly(dayMs - 1_001), false, { toleranceMs })).toBe('early_reject');
    expect(judgeAge(exactly(dayMs + 1_000), true, { toleranceMs })).toBe('undecided');
    expect(judgeAge(exactly(dayMs + 1_001), true, { toleranceMs })).toBe('late_accept');
  }
  expect(judgeAge(exactly(dayMs - 1_001), false, { toleranceMs: 1_001 })).toBe('undecided');
});

test('the phase follows the middle of the age range, and the minimum where the maximum is unknown', () => {
  expect(findPhase(exactly(dayMs - 1))).toBe('before');
  expect(findPhase(exactly(dayMs))).toBe('after');
  expect(findPhase({ least: dayMs - 10, most: dayMs + 9 })).toBe('before');
  expect(findPhase({ least: dayMs - 10, most: dayMs + 10 })).toBe('after');
  expect(findPhase({ least: dayMs - 1, most: Infinity })).toBe('before');
  expect(findPhase({ least: dayMs, most: Infinity })).toBe('after');
});

test('an admission raises the lower bound, and a refusal lowers the upper bound', () => {
  const age = { least: 100, most: 200 };
  expect(tighten({}, age, true)).toEqual({ atLeast: 100 });
  expect(tighten({}, age, false)).toEqual({ atMost: 200 });
  expect(tighten({ atLeast: 150, atMost: 150 }, age, true)).toEqual({
    atLeast: 150,
    atMost: 150,
  });
  expect(tighten({ atLeast: 50, atMost: 300 }, age, false)).toEqual({ atLeast: 50, atMost: 200 });
  expect(tighten({}, { least: 100, most: Infinity }, false)).toEqual({});
});
