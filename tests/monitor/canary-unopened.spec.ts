import { expect, test } from '@playwright/test';
import { quiet, watching } from './in-memory.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A monitor that the test restarts on the same state, with the correct secret key or a mistyped one. */
async function restarting() {
  const { time, provider, target } = quiet();
  const right = { ...target, canaries: { everySeconds: 4 * 3600 } };
  const secretKey = target.account.secretKey.derive((key) => `${key}x`);
  const mistyped = { ...right, account: { ...target.account, secretKey } };
  const logged: string[] = [];
  let one = watching([], { time, provider, targets: [right] });
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
      const targets = [as === 'right' ? right : mistyped];
      one = watching([], { time, provider, targets, state: one.state, logged });
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
