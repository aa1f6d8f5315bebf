import { expect, test } from '@playwright/test';
import { quiet } from './in-memory.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A monitor that the test restarts on the same state, with the correct secret key or a mistyped one. */
async function restarting() {
  const { time, target, watch } = quiet({ canaries: { everySeconds: 4 * 3600 } });
  const secretKey = target.account.secretKey.derive((key) => `${key}x`);
  const mistyped = { ...target, account: { ...target.account, secretKey } };
  const logged: string[] = [];
  let one = watch([]);
  await time.pass(15 * hour);
  const kept = one.status().targets[0]?.token?.canaries.alive ?? 0;
  expect(kept).toBeGreaterThan(2);
  return {
    time,
    logged,
    kept,
    rows: () => one.state.entries(target.name, 'canary').size,
    canaries: () => one.status().targets[0]?.token?.canaries,
    async restart(as: 'right' | 'mistyped') {
      await one.drain(1_000);
      time.kill();
      const targets = [as === 'right' ? target : mistyped];
      one = watch([], { targets, state: one.state, logged });
    },
  };
}

test('the canaries survive a start with a mistyped secret key', async () => {
  const { time, logged, kept, canaries, restart } = await restarting();
  await restart('mistyped');
  expect(canaries()).toMatchObject({ alive: 0, lost: kept });
  expect(logged.filter((line) => line.includes('cannot be opened'))).toEqual([
    `under-test: ${kept} of its canaries in the state file cannot be opened with its address and credentials: they are kept for a week, in case one of these is wrong`,
  ]);
  await time.pass(hour);
  await restart('right');
  expect(canaries()).toMatchObject({ alive: kept, lost: 0 });
  await time.pass(12 * hour);
  expect(canaries()).toMatchObject({ failed: 0, lost: 0 });
  expect(canaries()?.expired).toBeGreaterThan(0);
});

test('canaries that cannot be unsealed are kept for a week, over restarts, and no longer', async () => {
  const { time, kept, rows, canaries, restart } = await restarting();
  await restart('mistyped');
  await time.pass(4 * day);
  await restart('mistyped');
  expect(canaries()?.lost).toBe(kept);
  await time.pass(2.9 * day);
  expect(canaries()?.lost).toBe(kept);
  await time.pass(0.5 * day);
  expect(canaries()?.lost).toBe(0);
  expect(rows()).toBe(0);
});

test('canaries that were unsealed again are kept for another week', async () => {
  const { time, kept, canaries, restart } = await restarting();
  await restart('mistyped');
  await time.pass(6 * day);
  await restart('right');
  await restart('mistyped');
  await time.pass(2 * day);
  expect(canaries()?.lost).toBe(kept);
});

test('tokens that the provider ends because their API key was replaced violate no clause', async () => {
  const { time, provider, target, watch } = quiet({ canaries: { everySeconds: 4 * 3600 } });
  const one = watch([]);
  await time.pass(10 * hour);
  provider.wipe();
  let made = 0;
  provider.answer = (line, token) => {
    if (line.startsWith('GET')) return token?.startsWith('new') === true ? {} : undefined;
    const data = { accessToken: `new-${made++}` };
    return { body: Buffer.from(JSON.stringify({ success: true, message: 'ok', data })) };
  };
  const apiKey = target.account.apiKey.derive((key) => `${key}x`);
  one.retarget([{ ...target, account: { ...target.account, apiKey } }]);
  await time.pass(13 * hour);
  expect(one.violated()).toEqual([]);
  expect(one.status().targets[0]?.token?.canaries).toMatchObject({ failed: 0, lost: 3 });
});
