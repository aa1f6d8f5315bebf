import { expect, test } from '@playwright/test';
import { judgeProvider } from '../../contract/round/round.ts';
import { ClockError, days, hours, type SettableClock } from '../../contract/time/clock.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { probes } from '../../probes/index.ts';
import { ownSandbox } from '../../provider/own-sandbox.ts';
import { fakeClock } from './fake-clock.ts';

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
  expect(unjudged).toMatch(
    /set to 2038-01-18T15:14:08.000Z it shows 20\d\d-.* stay where it is set/,
  );
  expect(exit).toBe(2);
});

test('a clock that another process moves in the meantime violates no clause', async () => {
  let sets = 0;
  const { violated, unjudged, exit } = await judged((clock) => ({
    ...clock,
    async set(instant) {
      await clock.set(instant);
      sets += 1;
      if (sets > 20) await clock.set(instant - hours(3));
    },
  }));
  expect(violated).toEqual([]);
  expect(unjudged).toContain('but it must stay where it is set');
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

test('the clock is verified before time continues, and again at the end', async () => {
  const until = (last: number) => {
    const provider = fakeClock(Date.UTC(2026, 2, 1), {
      shows: (set) => Math.min(set, Date.UTC(2026, 2, 3)),
    });
    return new Timeline(provider).run([(clock) => clock.pass(last)]);
  };
  await until(days(1));
  await expect(until(days(3))).rejects.toThrow(ClockError);
});

test('a reported clock failure leaves no jump in progress', async () => {
  const provider = fakeClock(Date.UTC(2026, 2, 1), {
    shows: (set) => Math.min(set, Date.UTC(2026, 2, 3)),
  });
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
