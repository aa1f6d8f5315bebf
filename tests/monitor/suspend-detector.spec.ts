import { expect, test } from '@playwright/test';
import { watchForSuspend } from '../../monitor/loop/suspend-detector.ts';
import { simulatedTime } from './simulated-time.ts';

test('a stop is attributed to the work in progress, and to nothing that begins after it', async () => {
  const time = simulatedTime();
  const before = watchForSuspend(time);
  await time.pass(10_000);
  time.stop(2_000);
  const after = watchForSuspend(time);
  await time.pass(10_000);
  expect(before()).toBeGreaterThan(1_000);
  expect(after()).toBe(0);
});

test('time that passes evenly is not a stop, and no clock is read without work', async () => {
  const time = simulatedTime();
  const stop = watchForSuspend(time);
  await time.pass(60_000);
  expect(stop()).toBe(0);
  expect(time.sleepers()).toBe(0);
});
