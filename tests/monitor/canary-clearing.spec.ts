import { expect, test } from '@playwright/test';
import { days, hours, minutes, seconds } from '../../contract/clock.ts';
import { type Canary, issued } from '../../monitor/canary/canary.ts';
import { clears } from '../../monitor/canary/clearing.ts';
import { canaryProbes } from '../../monitor/canary/probes.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { quiet, watching } from './in-memory.ts';

const at = { boot: 'one', monotonic: 0, uptime: 0, wall: 0 };
const endpoint = 'GET /public-api/v1/widgets';
const day = hours(24);
const { lives, dies, stays } = canaryProbes;

const failed = (bounds: Canary['bounds'], madeAt = 0): Canary => ({
  ...issued({ s: at, r: at, endpoint, controlStatus: 200 }),
  ...{ state: 'failed', madeAt, bounds },
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

for (const [what, probe, breach, ms, clear] of [
  ['dead at the same age', dies, late, day + seconds(44), true],
  ['dead right at the end', dies, late, day + seconds(1), true],
  ['dead only a minute after it', dies, late, day + minutes(1.5), false],
  ['alive at the same age', lives, early, hours(23), true],
  ['alive at the last rung', lives, early, day - seconds(30), true],
  ['alive only at an age before it', lives, early, hours(12), false],
  ['dead still on the same day', stays, revived, day + days(3), true],
  ['dead still on a later day', stays, revived, day + days(6), true],
  ['dead still on a day before it', stays, revived, day + days(2), false],
] as const)
  test(`a token that is ${what} ${clear ? 'clears' : 'does not clear'} the breach`, () => {
    expect(clears(probe, seenAt(ms), [breach])).toBe(clear);
  });

test('a breach of another kind, and one that another follows, hold nothing up', () => {
  const fine = seenAt(day + minutes(5));
  expect(clears(dies, fine, [early, revived, { ...late, state: 'expired' }])).toBe(true);
  const newer = failed({ atLeast: day + minutes(5) + seconds(1) }, 1);
  expect(clears(dies, fine, [newer, late])).toBe(true);
  expect(clears(dies, fine, [late, newer])).toBe(true);
});

test('a living token proves what it does by the greatest age that it may have', () => {
  expect(clears(lives, seenAt(hours(22), hours(1)), [early])).toBe(true);
});

test('a leeway that lasts is violated until a token dies in time', async () => {
  const { time, provider, target } = quiet();
  provider.lifetime = day + minutes(1);
  const targets = [{ ...target, canaries: { everySeconds: 4 * 3600 } }];
  const one = watching([opens], { time, provider, targets });
  const verdict = () =>
    one.status().targets[0]?.clauses.find(({ id }) => id === 'EXPIRY-2')?.verdict;
  const looks = (from: number, to: number) =>
    (one.status().targets[0]?.token?.checks ?? [])
      .filter(({ leastSeconds }) => leastSeconds > from && leastSeconds < to)
      .map((check) => check.verdict);
  const before = () => looks(86_360, 86_400);
  const after = () => looks(86_400, Infinity);
  await time.pass(day);
  while (after().length === 0) await time.pass(seconds(10));
  expect([after(), verdict()]).toEqual([['late_accept'], 'violated']);
  // The next one has its last look before its end, and gets no answer then until minutes after it.
  while (before().length === 1) await time.pass(seconds(10));
  provider.answer = () => ({ status: 503 });
  await time.pass(minutes(4));
  delete provider.answer;
  await time.pass(hours(1));
  expect([after(), verdict()]).toEqual([expect.arrayContaining(['late_accept', 'ok']), 'violated']);
  provider.lifetime = day;
  await time.pass(hours(4));
  expect(verdict()).toBe('holds');
});
