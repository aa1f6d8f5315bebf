import { expect, test } from '@playwright/test';
import { judgeProvider } from '../../contract/round/round.ts';
import { ClockError, days, type SettableClock } from '../../contract/time/clock.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { probes } from '../../probes/index.ts';
import { fakeClock, jumps, seen } from './fake-clock.ts';

const start = Date.parse('2026-03-01T12:00:00.250Z');

test('several sequences of one probe wait separately, and the probe then continues', async () => {
  const provider = fakeClock(start);
  const saw: unknown[] = [];
  await new Timeline(provider).run([
    async (clock) => {
      await clock.pass(5);
      const began = clock.now() - 5;
      await clock.together([
        async (own) => void saw.push(await seen(own, 10, 20)),
        async (own) => {
          await own.together([async (deep) => void (await seen(deep, 12))]);
          saw.push(own.now() - began);
        },
        async () => {},
      ]);
      await clock.together([]);
      saw.push(clock.now() - began);
      await clock.pass(1);
    },
    async (clock) => void saw.push(await seen(clock, 26, 27)),
  ]);
  expect(saw).toEqual([17, [10, 20], 25, [26, 27]]);
  expect(jumps(provider)).toEqual([5, 15, 17, 25, 26, 27]);
});

test('a sequence that throws fails its probe when the others have ended', async () => {
  const provider = fakeClock(start);
  const saw: unknown[] = [];
  const run = new Timeline(provider).run([
    (clock) =>
      clock.together([
        () => Promise.reject(new Error('one sequence')),
        async (own) => void saw.push(await seen(own, 10)),
      ]),
  ]);
  await expect(run).rejects.toThrow('one sequence');
  expect(saw).toEqual([[10]]);
});

/** Judges a correct provider with a clock that lies. */
async function judged(lie: (clock: SettableClock) => SettableClock) {
  await using sandbox = await ownSandbox();
  const { clock } = sandbox.target;
  if (clock === undefined) throw new Error('the sandbox has a clock');
  const round = await judgeProvider({ ...sandbox.target, clock: lie(clock) }, probes);
  const violated = round.clauses.filter(({ verdict }) => verdict === 'violated');
  return { ...round, violated: violated.map(({ clause }) => clause.id) };
}

test('a clock that silently refuses dates beyond 2037 violates no clause', async () => {
  const { violated, unjudged, exit } = await judged((clock) => ({
    ...clock,
    set: async (instant) => (instant < Date.UTC(2038, 0) ? clock.set(instant) : undefined),
  }));
  expect(violated).toEqual([]);
  expect(unjudged).toMatch(/set to 2038-01-18T15:14:08.000Z it shows 20\d\d-.* where it is set/);
  expect(exit).toBe(2);
});

test('a second run that takes the same steps on one clock is detected', async () => {
  const clock = fakeClock(Date.UTC(2026, 2, 1));
  const run = new Timeline(clock).run([
    async (time) => {
      await clock.set(time.now() + days(1));
      await time.pass(days(1));
    },
  ]);
  await expect(run).rejects.toThrow('but it must stay where it is set');
});

const stuckAfter3March = () =>
  fakeClock(Date.UTC(2026, 2, 1), { shows: (set) => Math.min(set, Date.UTC(2026, 2, 3)) });

test('the clock is verified before time continues, and again at the end', async () => {
  const until = (last: number) => {
    return new Timeline(stuckAfter3March()).run([(clock) => clock.pass(last)]);
  };
  await until(days(1));
  await expect(until(days(3))).rejects.toThrow(ClockError);
});

test('a reported clock failure leaves no jump in progress', async () => {
  const provider = stuckAfter3March();
  let under = 0;
  const slow: SettableClock = {
    ...provider,
    async set(instant) {
      under += 1;
      await new Promise(setImmediate);
      await provider.set(instant);
      under -= 1;
    },
  };
  const run = new Timeline(slow).run([
    async (clock) => {
      for (let day = 1; day < 9; day += 1) await clock.pass(days(1));
    },
  ]);
  await expect(run).rejects.toThrow(ClockError);
  expect(under).toBe(0);
});
