import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { probes } from '../../probes/index.ts';
import { anotherTokenLeavesTheFirstAlive as another } from '../../probes/own-end.ts';
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

test('a token that never ends and is reissued violates EXPIRY-2 a day after its first sight, over a restart', async () => {
  const { time, provider, target, watch } = quiet({ periodSeconds });
  provider.givesAgain = true;
  provider.lifetime = Infinity;
  const targets = [{ ...target, canaries: { everySeconds: 4 * 3600 } }];
  const before = watch([opens], { targets });
  await time.pass(12 * hour);
  await before.drain(1_000);
  time.kill();
  const one = watch([opens], { targets, store: before.store });
  await time.pass(12 * hour + 2 * minute);
  expect(one.violated()).toEqual(['EXPIRY-2']);
  expect(one.token()?.canaries).toEqual({ alive: 0, expired: 0, failed: 1, lost: 0 });
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
