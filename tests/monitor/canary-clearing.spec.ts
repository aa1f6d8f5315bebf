import { expect, test } from '@playwright/test';
import { days, hours, minutes, seconds } from '../../contract/durations.ts';
import { type Canary, createCanary } from '../../monitor/canary/canary.ts';
import { clears } from '../../monitor/canary/evidence.ts';
import { keepingCanaries } from './in-memory.ts';

const at = { boot: 'one', monotonic: 0, uptime: 0, wall: 0 };
const day = hours(24);
const lives = 'EXPIRY-1';
const dies = 'EXPIRY-2';
const stays = 'EXPIRY-5';

const failed = (bounds: Canary['bounds'], madeAt = 0): Canary => ({
  ...createCanary({ s: at, r: at }, 200),
  state: 'failed',
  madeAt,
  bounds,
});

const seenAt = (ms: number, slackMs = 0) =>
  ({
    at: 0,
    age: { least: ms, most: ms + slackMs },
    phase: 'after',
    admitted: false,
    verdict: 'ok',
  }) as const;

const late = failed({ atLeast: day + seconds(31) });
const early = failed({ atMost: hours(23) + seconds(1), atLeast: hours(12) });
const revived = failed({ atLeast: day + days(3), atMost: day + seconds(30) });

for (const [what, clause, breach, ms, clear] of [
  ['dead a second before the age that was proven', dies, late, day + seconds(30), true],
  ['dead right at the end', dies, late, day + seconds(1), true],
  ['dead at the age that was proven', dies, late, day + seconds(31), false],
  ['dead a second after the age that was proven', dies, late, day + seconds(32), false],
  ['dead only an hour after its end', dies, late, day + hours(1), false],
  ['alive a moment after the age that was proven', lives, early, hours(23) + seconds(2), true],
  ['alive at the last rung', lives, early, day - seconds(30), true],
  ['alive at the age that was proven', lives, early, hours(23) + seconds(1), false],
  ['alive only at an age before it', lives, early, hours(12), false],
  ['dead still on the same day', stays, revived, day + days(3), true],
  ['dead still on a later day', stays, revived, day + days(6), true],
  ['dead still a second before that', stays, revived, day + days(3) - seconds(1), false],
] as const)
  test(`a token that is ${what} ${clear ? 'clears' : 'does not clear'} the violation`, () => {
    expect(clears(clause, seenAt(ms), [breach])).toBe(clear);
  });

test('a token that may have been as old as the violating one clears no violation', () => {
  expect(clears(dies, seenAt(day + seconds(28), seconds(2)), [late])).toBe(true);
  expect(clears(dies, seenAt(day + seconds(28), seconds(3)), [late])).toBe(false);
  expect(clears(dies, seenAt(day, Infinity), [late])).toBe(false);
  expect(clears(lives, seenAt(hours(22), hours(1.5)), [early])).toBe(false);
});

test('a violation of another kind, and a canary that has not failed, delay nothing', () => {
  const fine = seenAt(day + minutes(5));
  expect(clears(dies, fine, [early, revived, { ...late, state: 'expired' }])).toBe(true);
});

test('a check clears nothing while it leaves one violation of its kind uncontradicted', () => {
  const fine = seenAt(day + minutes(5));
  const long = failed({ atLeast: day + hours(1) }, 1);
  expect(clears(dies, fine, [long])).toBe(true);
  expect(clears(dies, fine, [long, late])).toBe(false);
});

test('a lasting leeway stays violated until a token expires in time', async () => {
  const { time, provider, start, checks, verdict } = keepingCanaries();
  provider.lifetime = day + minutes(1);
  start();
  const looks = (from: number, to: number) =>
    checks()
      .filter(({ leastSeconds }) => leastSeconds > from && leastSeconds < to)
      .map((check) => check.verdict);
  const before = () => looks(86_360, 86_400);
  const after = () => looks(86_400, Infinity);
  await time.pass(day);
  while (after().length === 0) await time.pass(seconds(10));
  expect(after()).toEqual(['late_accept']);
  expect(verdict('EXPIRY-2')).toBe('violated');
  // The next canary makes its last check before 24 hours, and then gets no answer for four minutes.
  while (before().length === 1) await time.pass(seconds(10));
  provider.answer = () => ({ status: 503 });
  await time.pass(minutes(4));
  delete provider.answer;
  await time.pass(hours(1));
  expect(after()).toEqual(expect.arrayContaining(['late_accept', 'ok']));
  expect(verdict('EXPIRY-2')).toBe('violated');
  provider.lifetime = day;
  await time.pass(hours(4));
  expect(verdict('EXPIRY-2')).toBe('holds');
});
