import { expect, test } from '@playwright/test';
import { Loop } from '../../monitor/loop/loop.ts';
import { simulatedTime } from './simulated-time.ts';

/** A loop with a tick a second, what it did and when (seconds since its start), and how many ticks it missed. */
function looping({ takesMs = [] as number[], again = [] as (number | undefined)[] } = {}) {
  const time = simulatedTime();
  const done: string[] = [];
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => void time.after(ms, resolve));
  const note = (what: string): number => done.push(`${what} at ${time.truth() / 1000}`);
  let missed = 0;
  const loop = new Loop({
    periodMs: 1_000,
    offsetMs: 500,
    time,
    async run(tick) {
      note(tick === undefined ? 'again' : `tick ${tick}`);
      const ms = takesMs.shift() ?? 0;
      if (ms > 0) await wait(ms);
      return again.shift();
    },
    onMissed: (ticks) => {
      missed += ticks;
    },
  });
  const at = (inMs: number, ms = 0): void =>
    loop.at(time.monotonic() + inMs, async () => {
      note('appointment');
      await wait(ms);
    });
  return { loop, time, done, at, missed: () => missed };
}

test('ticks are on a grid, and those that come during a round are missed', async () => {
  const { loop, time, done, missed } = looping({ takesMs: [0, 2_700] });
  loop.start();
  await time.pass(3_600);
  expect(missed()).toBe(2);
  await time.pass(2_000);
  expect(done).toEqual(['tick 0 at 0.5', 'tick 1 at 1.5', 'tick 4 at 4.5', 'tick 5 at 5.5']);
  expect(missed()).toBe(2);
});

test('a round may ask to run again before the next tick', async () => {
  const { loop, time, done } = looping({ again: [250, undefined, 5_000] });
  loop.start();
  await time.pass(3_000);
  expect(done).toEqual(['tick 0 at 0.5', 'again at 0.75', 'tick 1 at 1.5', 'tick 2 at 2.5']);
});

test('appointments are kept one after another, between the ticks and before those that wait', async () => {
  const { loop, time, done, at, missed } = looping({ takesMs: [600] });
  loop.start();
  at(900);
  at(700);
  at(1_200, 400);
  await time.pass(2_000);
  expect(done).toEqual([
    'tick 0 at 0.5',
    'appointment at 1.1',
    'appointment at 1.1',
    'appointment at 1.2',
    'tick 1 at 1.6',
  ]);
  expect(missed()).toBe(0);
});

test('ticks that pass while the process is stopped are missed, but for the last one', async () => {
  const { loop, time, done, missed } = looping();
  loop.start();
  await time.pass(600);
  time.stop(10_000);
  await time.pass(100);
  expect(done).toEqual(['tick 0 at 0.5', 'tick 10 at 10.6']);
  expect(missed()).toBe(9);
});

test('a stopped loop ends what runs, and starts nothing any more', async () => {
  const { loop, time, done, at } = looping({ takesMs: [300], again: [1] });
  loop.start();
  await time.pass(600);
  at(0);
  let isStopped = false;
  void loop.stop().then(() => {
    isStopped = true;
  });
  await time.pass(100);
  expect(isStopped).toBe(false);
  await time.pass(10_000);
  expect(isStopped).toBe(true);
  expect(done).toEqual(['tick 0 at 0.5']);
  expect(time.sleepers()).toBe(0);
});
