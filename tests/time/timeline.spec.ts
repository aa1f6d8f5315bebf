import { expect, test } from '@playwright/test';
import { minutes, seconds } from '../../contract/durations.ts';
import { type Clock, ClockError } from '../../contract/time/clock.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { fakeClock, jumps, seen } from './fake-clock.ts';

const start = Date.parse('2026-03-01T12:00:00.250Z');

test('probes begin on a whole second, ahead of the provider, whose clock is verified to stand still', async () => {
  const provider = fakeClock(start);
  const time = new Timeline(provider);
  const [began = 0] = await time.run([async (clock) => clock.now()]);
  expect(began).toBe(Date.parse('2026-03-01T12:00:11Z'));
  expect(provider.sets).toEqual([began - 1, began]);
  const begins = async (clock: Clock): Promise<number> => clock.now() - began;
  expect(await time.run([begins], began + 4500)).toEqual([5000]);
  await time.run([(clock) => clock.pass(250)]);
  expect(await time.run([begins])).toEqual([7000]);
});

test('probes meet at the nearest instant that any of them waits for', async () => {
  const provider = fakeClock(start);
  const saw = await new Timeline(provider).run([
    (clock) => seen(clock, 10, 40),
    (clock) => seen(clock, 20, 30, 40, 50),
    (clock) => seen(clock),
  ]);
  expect(saw).toEqual([[10, 40], [20, 30, 40, 50], []]);
  expect(jumps(provider)).toEqual([10, 20, 30, 40, 50]);
});

test('an instant that is past is an error of that probe alone', async () => {
  const provider = fakeClock(start);
  const wrong = (pass: (clock: Clock) => Promise<void>) => async (clock: Clock) => {
    await clock.pass(10);
    await pass(clock);
  };
  const saw: unknown[] = [];
  const run = new Timeline(provider).run<unknown>([
    wrong((clock) => clock.pass(-1)),
    async (clock) => saw.push(await seen(clock, 5, 10, 20)),
  ]);
  await expect(run).rejects.toThrow('2026-03-01T12:00:11.009Z has gone by');
  expect(saw).toEqual([[5, 10, 20]]);
});

test('a probe that throws stops no other probe, and the run ends when all have ended', async () => {
  const provider = fakeClock(start);
  const saw: unknown[] = [];
  const run = new Timeline(provider).run<unknown>([
    async (clock) => {
      await clock.pass(10);
      throw new Error('its own affair');
    },
    async (clock) => saw.push(await seen(clock, 10, 20, 30)),
  ]);
  await expect(run).rejects.toThrow('its own affair');
  expect(saw).toEqual([[10, 20, 30]]);
});

test('a clock that fails midway fails all waiting probes, and hangs none', async () => {
  const provider = fakeClock(start, { failsAt: 4 });
  const endings: string[] = [];
  const report = (wait: (clock: Clock) => Promise<unknown>) => (clock: Clock) =>
    wait(clock).then(
      () => endings.push('ended'),
      (error: unknown) => endings.push(error instanceof ClockError ? 'ClockError' : String(error)),
    );
  await new Timeline(provider).run([
    report((clock) => seen(clock, 10)),
    report((clock) => seen(clock, 10, 20)),
    report((clock) => seen(clock, minutes(1))),
    report((clock) => seen(clock, 30)),
  ]);
  expect(endings.sort()).toEqual(['ClockError', 'ClockError', 'ClockError', 'ended']);
});

test('a clock that shows another instant than it was set to is not accepted', async () => {
  for (const off of [1, seconds(5), -999]) {
    const run = new Timeline(fakeClock(start, { shows: (at) => at + off })).run([]);
    await expect(run).rejects.toThrow(
      /^the fake clock: set to \S+ it shows \S+, but it must stay where it is set, or go on from there$/,
    );
  }
});

/** Replaces the clock of the machine. */
function inPlaceOfTime(now: () => number): Disposable {
  const real = performance.now;
  performance.now = now;
  return {
    [Symbol.dispose]() {
      performance.now = real;
    },
  };
}

test('a clock that goes on running is measured, is set again before a request, and may not be moved', async () => {
  const provider = fakeClock(start);
  // Time passes only where this test says so: no pause of the machine is taken for a drift.
  let nowMs = performance.now();
  using _ = inPlaceOfTime(() => nowMs);
  let setAt = 0;
  let movedMs = 0;
  const running = {
    ...provider,
    set: (instant: number) => {
      setAt = nowMs;
      return provider.set(instant);
    },
    async read() {
      nowMs += 50;
      return (await provider.read()) + nowMs - setAt + movedMs;
    },
  };
  const time = new Timeline(running);
  const tolerances: unknown[] = [];
  await time.run([
    async (clock) => {
      tolerances.push(clock.toleranceMs);
      const { length } = provider.sets;
      await time.hold();
      expect(provider.sets).toHaveLength(length);
      nowMs += 300;
      await time.hold();
      expect(provider.sets.slice(length)).toEqual([clock.now()]);
    },
  ]);
  expect(tolerances).toEqual([2000]);
  movedMs = 5000;
  await expect(time.checkStanding()).rejects.toThrow('or go on from there');
});

test('a clock is released only when it was touched, also where setting it failed', async () => {
  const untouched = fakeClock(start);
  await new Timeline(untouched).release();
  expect(untouched.releases).toBe(0);
  const failing = fakeClock(start, { failsAt: 1 });
  const time = new Timeline(failing);
  await expect(time.run([])).rejects.toThrow(ClockError);
  await time.release();
  await time.release();
  expect(failing.releases).toBe(1);
});
