import { expect, test } from '@playwright/test';
import { elapsedBy } from '../../monitor/elapsed.ts';
import { simulatedTime } from './simulated-time.ts';

const minute = 60_000;
const hour = 60 * minute;

test('what passes is counted, also while the machine sleeps', async () => {
  const time = simulatedTime();
  const { now } = elapsedBy(time);
  await time.pass(5_000);
  expect(now()).toBe(5_000);
  time.suspend(hour);
  expect(now()).toBe(5_000 + hour);
});

test('a stop from outside is counted when the wall clock is right again, and nothing is taken back', () => {
  const time = simulatedTime();
  const { now } = elapsedBy(time);
  time.pause(hour, true);
  expect(now()).toBe(hour);
  time.step(-30 * minute);
  expect(now()).toBe(hour);
});

test('a stop that no clock of the machine has seen is told by the provider', async () => {
  const time = simulatedTime();
  const { now, hear } = elapsedBy(time);
  hear(time.wall());
  time.pause(hour, false);
  expect(now()).toBe(0);
  hear(time.wall() + hour);
  expect(now()).toBe(hour);
  await time.pass(minute);
  hear(time.wall() + hour);
  expect(now()).toBe(hour + minute);
});

test('dates of whole seconds that come late add nothing up', async () => {
  const time = simulatedTime();
  const { now, hear } = elapsedBy(time);
  for (let count = 0; count < 1_000; count++) {
    await time.pass(300);
    hear(Math.floor(time.wall() / 1000) * 1000 - (count % 3) * 500);
  }
  expect(now()).toBe(300_000);
});

test('after the wall clock has said too much, the provider is compared anew', () => {
  const time = simulatedTime();
  const { now, hear } = elapsedBy(time);
  const provider = time.wall();
  hear(provider);
  time.step(5 * hour);
  hear(provider);
  expect(now()).toBe(5 * hour);
  time.pause(hour, false);
  hear(provider + hour);
  expect(now()).toBe(6 * hour);
});
