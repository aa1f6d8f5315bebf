import { expect, test } from '@playwright/test';
import { drive } from '../../monitor/schedule/drive.ts';
import { Schedule, type Slot } from '../../monitor/schedule/schedule.ts';
import { onceAt } from '../../monitor/schedule/timing.ts';
import { simulatedTime } from './simulated-time.ts';

/** The time of the simulated clock at the beginning. */
const start = 1_000_000;

const slot: Slot = {
  key: 'a',
  target: 'one',
  timing: { firstAt: start + 100, offset: 0, period: 1_000 },
};

const bounds = { concurrency: 1, atOncePerTarget: 1 };

test('runs begin when they are due, and one timer sleeps for the next', async () => {
  const time = simulatedTime();
  const begun: [number, number][] = [];
  drive(
    new Schedule([slot], bounds),
    async (_slot, lagMs) => {
      begun.push([time.monotonic() - start, lagMs]);
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

test('a run that plans another as it begins leaves one timer', async () => {
  const time = simulatedTime();
  const plan = new Schedule([slot], bounds);
  const driven = drive(
    plan,
    async () => {
      plan.add({ ...slot, key: `b ${time.monotonic()}`, timing: onceAt(time.monotonic() + 700) });
      driven.wake();
    },
    time,
  );
  await time.pass(5_000);
  expect(time.sleepers()).toBe(1);
  await driven.drain(1_000);
  expect(time.sleepers()).toBe(0);
});

for (const [what, other, lag] of [
  ['a place', { key: 'b', target: 'two' }, 50],
  ['another run of its target, which is no lag,', { key: 'b' }, 0],
] as const)
  test(`a run that waits for ${what} begins when that is free`, async () => {
    const time = simulatedTime();
    const ends: (() => void)[] = [];
    const lags: number[] = [];
    drive(
      new Schedule([slot, { ...slot, ...other }], bounds),
      (_slot, lagMs) => {
        lags.push(lagMs);
        return new Promise((resolve) => ends.push(resolve));
      },
      time,
    );
    await time.pass(150);
    expect(lags).toEqual([0]);
    ends[0]?.();
    await time.pass(0);
    expect(lags).toEqual([0, lag]);
  });

test('draining waits for running probes, and begins nothing else', async () => {
  const time = simulatedTime();
  const ends: (() => void)[] = [];
  const plan = new Schedule([slot], bounds);
  const driven = drive(plan, () => new Promise((resolve) => ends.push(resolve)), time);
  await time.pass(150);
  const drained = driven.drain(10_000);
  await time.pass(2_000);
  ends[0]?.();
  expect(await drained).toBe(true);
  expect(plan.tally()).toMatchObject({ run: 1, waiting: 0 });
  expect(time.sleepers()).toBe(0);
});

test('draining gives up at its limit, and reports that', async () => {
  const time = simulatedTime();
  const driven = drive(new Schedule([slot], bounds), () => new Promise(() => {}), time);
  await time.pass(150);
  const drained = driven.drain(10_000);
  await time.pass(10_000);
  expect(await drained).toBe(false);
});

test("the timer never sleeps longer than an hour, which Node's timers support", async () => {
  const time = simulatedTime();
  const requests: number[] = [];
  const far = { ...slot, timing: { firstAt: 1e10, offset: 0, period: 1e10 } };
  drive(new Schedule([far], bounds), async () => {}, {
    ...time,
    after: (ms, wake) => {
      requests.push(ms);
      return time.after(ms, wake);
    },
  });
  await time.pass(3_600_000);
  expect(requests).toEqual([3_600_000, 3_600_000]);
});

test('a slot added during a sleep wakes the timer', async () => {
  const time = simulatedTime();
  const begun: string[] = [];
  const plan = new Schedule<Slot>([], bounds);
  const driven = drive(plan, async ({ key }) => void begun.push(key), time);
  await time.pass(1_000);
  plan.add({ key: 'late', target: 'one', timing: onceAt(start + 1_500) });
  driven.wake();
  await time.pass(1_000);
  expect(begun).toEqual(['late']);
  expect(time.sleepers()).toBe(0);
});

test('seventy targets that hang cost a hundred healthy ones no run of an hour', async () => {
  const time = simulatedTime();
  const slotsOf = (what: string, targets: number, each: number): Slot[] =>
    Array.from({ length: targets * each }, (_, index) => ({
      key: `${what} ${index}`,
      target: `${what} ${index % targets}`,
      // All slots are due at the same instants, which is the worst case.
      timing: { firstAt: start, offset: 0, period: 60_000 },
    }));
  const lags: number[] = [];
  drive(
    new Schedule([...slotsOf('hanging', 70, 8), ...slotsOf('healthy', 100, 4)], {
      concurrency: 64,
      atOncePerTarget: 1,
    }),
    ({ target }, lagMs) => {
      const isHealthy = target.startsWith('healthy');
      if (isHealthy) lags.push(lagMs);
      return new Promise((resolve) => void time.after(isHealthy ? 100 : 10_000, resolve));
    },
    time,
  );
  await time.pass(3_600_000);
  expect(lags).toHaveLength(100 * 4 * 60);
  expect(Math.max(...lags)).toBeLessThanOrEqual(5_000);
});
