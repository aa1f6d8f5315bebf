import { expect, test } from '@playwright/test';
import { elapsedBy, instantOf, mostSince } from '../../monitor/schedule/elapsed.ts';
import { simulatedTime } from './simulated-time.ts';

const minute = 60_000;
const hour = 60 * minute;

test('elapsed time is counted, also while the machine sleeps', async () => {
  const time = simulatedTime();
  const { now } = elapsedBy(time);
  await time.pass(5_000);
  expect(now()).toBe(5_000);
  time.suspend(hour);
  expect(now()).toBe(5_000 + hour);
});

test('an outside stop is counted when the wall clock is right again, and nothing is subtracted', () => {
  const time = simulatedTime();
  const { now } = elapsedBy(time);
  time.pause(hour, true);
  expect(now()).toBe(hour);
  time.step(-30 * minute);
  expect(now()).toBe(hour);
});

test('a sleep during which the wall clock is set back is counted', () => {
  const time = simulatedTime();
  const { now } = elapsedBy(time);
  time.suspend(hour);
  time.step(-hour);
  expect(now()).toBe(hour);
});

test('answers that follow one another soon do without the uptime, and nothing is counted twice', async () => {
  const time = simulatedTime();
  let reads = 0;
  const uptime = (): number => {
    reads += 1;
    return time.uptime();
  };
  const elapsed = elapsedBy({ monotonic: time.monotonic, wall: time.wall, uptime });
  for (let count = 0; count < 100; count++) {
    await time.pass(10);
    elapsed.observe(time.wall());
  }
  expect(reads).toBe(5);
  expect(elapsed.now()).toBe(1000);
  expect(elapsed.ahead()).toBe(time.wall() - 1000);
});

test('a stop that no clock of the machine has seen is revealed by the provider, and widens the elapsed range', async () => {
  const time = simulatedTime();
  const elapsed = elapsedBy(time);
  elapsed.observe(time.wall());
  const since = instantOf(elapsed);
  time.pause(hour, false);
  expect(mostSince(since, elapsed)).toBe(0);
  elapsed.observe(time.wall() + hour);
  expect(mostSince(since, elapsed)).toBe(hour);
  await time.pass(minute);
  elapsed.observe(time.wall() + hour);
  expect(mostSince(since, elapsed)).toBe(hour + minute);
  expect(elapsed.now()).toBe(minute);
});

test('servers whose clocks differ widen the elapsed range by that difference, and never add it up', async () => {
  const time = simulatedTime();
  const elapsed = elapsedBy(time);
  elapsed.observe(time.wall());
  const since = instantOf(elapsed);
  for (let count = 1; count <= 100; count++) {
    await time.pass(300);
    elapsed.observe(time.wall() + (count % 2) * 10 * minute);
  }
  expect(elapsed.now()).toBe(30_000);
  expect(mostSince(since, elapsed)).toBe(30_000);
  elapsed.observe(time.wall() + 10 * minute);
  expect(mostSince(since, elapsed)).toBe(30_000 + 10 * minute);
});

test('whole-second dates that arrive late do not add up', async () => {
  const time = simulatedTime();
  const { now, observe: hear } = elapsedBy(time);
  for (let count = 0; count < 1_000; count++) {
    await time.pass(300);
    hear(Math.floor(time.wall() / 1000) * 1000 - (count % 3) * 500);
  }
  expect(now()).toBe(300_000);
});
