import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { anotherTokenLeavesTheFirstAlive as another } from '../../probes/own-end.ts';
import { nightly } from '../nightly.ts';
import { quiet } from './in-memory.ts';

const minute = 60_000;
const hour = 60 * minute;

/** How often probes run where only canaries matter: a simulated day takes a fraction of a second. */
const periodSeconds = 3600;

const keepingCanaries = (everySeconds: number) =>
  quiet({ canaries: { everySeconds }, periodSeconds });

test('a correct provider gives proven lifetime bounds in a day and a half, and violates no clause', async () => {
  const { time, watch } = keepingCanaries(4 * 3600);
  const one = watch([opens]);
  await time.pass(36 * hour);
  const token = one.token();
  expect(token?.canaries).toEqual({ alive: 6, expired: 3, failed: 0, lost: 0 });
  expect(token?.atLeastSeconds).toBeGreaterThan(86_369);
  expect(token?.atMostSeconds).toBeLessThan(86_433);
  expect((['EXPIRY-1', 'EXPIRY-2', 'EXPIRY-5'] as const).map(one.verdict)).toEqual([
    'holds',
    'holds',
    'holds',
  ]);
  expect(one.status().state).toBe('holds');
});

for (const [what, lifetime, broken, verdict] of [
  ['a minute too long', 24 * hour + minute, 'EXPIRY-2', 'late_accept'],
  ['an hour too short', 23 * hour, 'EXPIRY-1', 'early_reject'],
] as const)
  test(`tokens that live ${what} break ${broken}, and no other clause`, async () => {
    const { time, provider, watch } = keepingCanaries(4 * 3600);
    provider.lifetime = lifetime;
    const one = watch([opens]);
    await time.pass(25 * hour);
    const status = one.status();
    expect(one.violated()).toEqual([broken]);
    expect(one.token()?.canaries.failed).toBeGreaterThan(0);
    expect(status.checks.some((check) => check.verdict === verdict)).toBe(true);
    const [finding] = status.clauses[broken].findings;
    expect(finding?.when).toMatch(/^at 2[34] h .* after the token was made, /);
    expect(JSON.stringify(status)).not.toContain('of-the-service-in-memory');
  });

test('canaries survive a restart, sealed', async () => {
  const { time, watch } = keepingCanaries(4 * 3600);
  const first = watch([opens]);
  await time.pass(23 * hour);
  await first.drain(1_000);
  const rows = [...first.store.load('under-test').canaries.values()];
  expect(rows).toHaveLength(6);
  expect(JSON.stringify(rows)).not.toContain('of-the-service-in-memory');
  time.kill();
  const again = watch([opens], { store: first.store });
  expect(again.token()?.canaries.alive).toBe(6);
  await time.pass(3 * hour);
  expect(again.token()?.canaries.expired).toBeGreaterThan(0);
  expect(again.status().state).toBe('holds');
});

test('token invalidation is the only finding where a new token ends the earlier one, and no canary is kept', async () => {
  const { time, provider, watch } = quiet({ canaries: { everySeconds: 3600 } });
  provider.answer = (line) => {
    if (line.startsWith('POST') && line.endsWith('/token')) provider.wipe();
    return undefined;
  };
  const one = watch(probes);
  await time.pass(5 * hour);
  expect(one.violated()).toEqual(['EXPIRY-4']);
  const token = one.token();
  expect(token?.off).toContain('EXPIRY-4');
  expect(token?.canaries.failed).toBe(0);
});

test('a canary that a newer token has ended is lost, even before a probe has found that out', async () => {
  const chosen = { 'another-token-leaves-the-first-alive': 'off' } as const;
  const { time, provider, watch } = quiet({ chosen, canaries: { everySeconds: 4 * 3600 } });
  const one = watch([opens]);
  await time.pass(30 * minute);
  provider.answer = (line) => {
    if (line === 'POST /public-api/v1/auth/token') provider.wipe();
    return undefined;
  };
  await time.pass(20 * hour);
  expect(one.violated()).toEqual([]);
  const token = one.token();
  expect(token?.canaries.lost).toBeGreaterThan(3);
  expect(token?.atMostSeconds).toBeUndefined();
  expect(
    one.logged.filter((line) => line.includes('a valid token was refused')).length,
  ).toBeLessThan(22);
});

test("a provider that reissues another caller's valid token violates no clause", async () => {
  const { time, provider, target, watch } = quiet();
  provider.givesAgain = true;
  const earlier = watch([opens]);
  await time.pass(5 * hour);
  await earlier.drain(1_000);
  time.kill();
  const watchedTarget = { ...target, canaries: { everySeconds: 4 * 3600 } };
  const one = watch([opens], { targets: [watchedTarget] });
  await time.pass(50 * hour);
  expect(one.violated()).toEqual([]);
  expect(one.token()?.canaries.failed).toBe(0);
  // This monitor's first token is refused after 19 hours, which is expected because the provider reissues tokens.
  expect(one.logged.filter((line) => line.includes('a valid token was refused'))).toEqual([]);
});

for (const [what, lifetime, restarts] of [
  ['never ends', Infinity, false],
  ['lives ten minutes too long', 24 * hour + 10 * minute, false],
  ['never ends, with a restart after its first sight,', Infinity, true],
] as const)
  test(`a token that ${what} and is reissued violates EXPIRY-2 a day after its first sight`, async () => {
    const { time, provider, target, watch } = quiet({ periodSeconds });
    provider.givesAgain = true;
    provider.lifetime = lifetime;
    // The probes get the token hours before the first canary gets it.
    let one = watch([opens]);
    await time.pass(12 * hour);
    const targets = [{ ...target, canaries: { everySeconds: 4 * 3600 } }];
    if (restarts) {
      await one.drain(1_000);
      time.kill();
      one = watch([opens], { targets, store: one.store });
    } else one.retarget(targets);
    await time.pass(12 * hour + 2 * minute);
    expect(one.violated()).toEqual(['EXPIRY-2']);
    expect(one.token()?.canaries).toEqual({
      alive: 0,
      expired: 0,
      failed: 1,
      lost: 0,
    });
    const { sights } = one.store.load('under-test');
    expect(sights).toHaveLength(1);
    expect(JSON.stringify(sights)).not.toContain('of-the-service-in-memory');
  });

test('a provider that reissues a valid token and ends it in time has no finding, also after a restart', async () => {
  const { time, provider, watch } = quiet({ canaries: { everySeconds: 4 * 3600 } });
  provider.givesAgain = true;
  const before = watch([opens, another]);
  await time.pass(30 * hour);
  await before.drain(1_000);
  time.kill();
  const one = watch([opens, another], { store: before.store });
  for (let passed = 0; passed < 20; passed++) {
    await time.pass(hour);
    expect(one.violated()).toEqual([]);
  }
  expect(one.token()?.canaries.failed).toBe(0);
  expect(one.verdict('EXPIRY-2')).toBe('holds');
});

test('a reissued token that expires in the middle of a run proves nothing about EXPIRY-4', async () => {
  const { time, provider, watch } = quiet();
  provider.givesAgain = true;
  const one = watch([another]);
  await time.pass(hour);
  // The next run requests two tokens; the reissued token ends before the second request.
  let given = 0;
  provider.answer = (line) => {
    if (line.startsWith('POST')) given += 1;
    if (line.startsWith('POST') && given === 2) provider.wipe();
    return undefined;
  };
  await time.pass(24 * hour);
  expect(given).toBeGreaterThan(2);
  expect(one.logged.filter((line) => line.includes('violated'))).toEqual([]);
});

test.describe('of many canaries', () => {
  nightly();

  test('a violation of days ends with the first canary that contradicts it, however often canaries start', async () => {
    const { time, provider, watch } = keepingCanaries(600);
    provider.lifetime = 12 * hour;
    const one = watch([opens]);
    await time.pass(72 * hour);
    expect(one.violated()).toEqual(['EXPIRY-1']);
    provider.lifetime = 24 * hour;
    await time.pass(26 * hour);
    expect(one.verdict('EXPIRY-1')).toBe('holds');
  });
});
