import { expect, test } from '@playwright/test';
import { type Slot, schedule } from '../../monitor/schedule.ts';
import { drive, type Timers } from '../../monitor/timers.ts';

/** Time that passes only when it is told to. */
function simulated(): Timers & {
  pass(ms: number): Promise<void>;
  readonly sleepers: () => number;
} {
  let now = 1_000;
  let waiting: { at: number; wake: () => void }[] = [];
  return {
    now: () => now,
    after(ms, wake) {
      const one = { at: now + ms, wake };
      waiting.push(one);
      return () => {
        waiting = waiting.filter((other) => other !== one);
      };
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.wake();
        await settled();
      }
      now = end;
      await settled();
    },
    sleepers: () => waiting.length,
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const slot: Slot = {
  key: 'a',
  target: 'one',
  timing: { firstAt: 100, offset: 0, period: 1_000 },
};

const bounds = { atOnce: 1, atOncePerTarget: 1 };

test('runs begin when they are due, and one timer sleeps for the next', async () => {
  const time = simulated();
  const begun: [number, number][] = [];
  drive(
    schedule([slot], bounds),
    async (_slot, lagMs) => {
      begun.push([time.now() - 1_000, lagMs]);
    },
    time,
  );
  await time.pass(3_500);
  expect(begun).toEqual([
    [100, 0],
    [1_000, 0],
    [2_000, 0],
    [3_000, 0],
  ]);
  expect(time.sleepers()).toBe(1);
});

test('what waits for a place begins when one is free, and its lag is told', async () => {
  const time = simulated();
  const ends: (() => void)[] = [];
  const lags: number[] = [];
  drive(
    schedule([slot, { ...slot, key: 'b' }], bounds),
    (_slot, lagMs) => {
      lags.push(lagMs);
      return new Promise((resolve) => ends.push(resolve));
    },
    time,
  );
  await time.pass(150);
  ends[0]?.();
  await time.pass(0);
  expect(lags).toEqual([0, 50]);
});

test('draining waits for what runs, and begins nothing more', async () => {
  const time = simulated();
  const ends: (() => void)[] = [];
  const plan = schedule([slot], bounds);
  const driven = drive(plan, () => new Promise((resolve) => ends.push(resolve)), time);
  await time.pass(150);
  const drained = driven.drain(10_000);
  await time.pass(2_000);
  ends[0]?.();
  expect(await drained).toBe(true);
  expect(plan.tally()).toMatchObject({ run: 1, waiting: 0 });
  expect(time.sleepers()).toBe(0);
});

test('draining gives up at its limit, and says so', async () => {
  const time = simulated();
  const driven = drive(schedule([slot], bounds), () => new Promise(() => {}), time);
  await time.pass(150);
  const drained = driven.drain(10_000);
  await time.pass(10_000);
  expect(await drained).toBe(false);
});

test('nobody sleeps longer than an hour, which a timer of Node can hold', async () => {
  const time = simulated();
  const asked: number[] = [];
  const far = { ...slot, timing: { firstAt: 1e10, offset: 0, period: 1e10 } };
  drive(schedule([far], bounds), async () => {}, {
    ...time,
    after: (ms, wake) => {
      asked.push(ms);
      return time.after(ms, wake);
    },
  });
  await time.pass(3_600_000);
  expect(asked).toEqual([3_600_000, 3_600_000]);
});
