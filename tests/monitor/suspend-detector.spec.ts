import { expect, test } from '@playwright/test';
import { vigil } from '../../monitor/loop/suspend-detector.ts';
import { simulatedTime } from './simulated-time.ts';

test('a stop is attributed to the work in progress, and to nothing that begins after it', async () => {
  const time = simulatedTime();
  const watch = vigil(time);
  const before = watch.begin();
  await time.pass(10_000);
  time.stop(2_000);
  const after = watch.begin();
  await time.pass(10_000);
  expect([before(), after()]).toEqual([true, false]);
});

test('time that passes evenly is not a stop, and no clock is read without work', async () => {
  const time = simulatedTime();
  const watch = vigil(time);
  const first = watch.begin();
  const second = watch.begin();
  await time.pass(60_000);
  expect([first(), second()]).toEqual([false, false]);
  expect(time.sleepers()).toBe(0);
  time.stop(60_000);
  expect(watch.begin()()).toBe(false);
  expect(time.sleepers()).toBe(0);
});
