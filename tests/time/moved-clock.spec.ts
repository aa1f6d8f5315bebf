import { expect, test } from '@playwright/test';
import { days } from '../../contract/durations.ts';
import { ClockError, type SettableClock } from '../../contract/time/clock.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { probes } from '../../probes/index.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { fakeClock } from './fake-clock.ts';

/** Judges a correct provider with a clock that lies. */
async function judged(lie: (clock: SettableClock) => SettableClock) {
  const { clock, ...target } = sandboxInMemory();
  if (clock === undefined) throw new Error('the sandbox has a clock');
  const round = await judgeProvider({ ...target, clock: lie(clock) }, probes);
  const violated = round.clauses.filter(({ verdict }) => verdict === 'violated');
  return { ...round, violated: violated.map(({ clause }) => clause.id) };
}

test('a clock that silently refuses dates beyond 2037 violates no clause', async () => {
  const { violated, unjudged, exit } = await judged((clock) => ({
    ...clock,
    set: async (instant) => (instant < Date.UTC(2038, 0) ? clock.set(instant) : undefined),
  }));
  expect(violated).toEqual([]);
  expect(unjudged).toMatch(/set to 2038-01-1\dT15:14:\S+ it shows 20\d\d-.* where it is set/);
  expect(exit).toBe(2);
});

test('a second run that takes its own steps on one clock is detected', async () => {
  const clock = fakeClock(Date.UTC(2026, 2, 1));
  const run = new Timeline(clock).run([
    async (time) => {
      for (let step = 0; step < 9; step++) {
        await time.pass(days(1));
        // It takes none after the last: this run has set the clock again before its end.
        if (step < 8) await clock.set(time.now() + 1);
      }
    },
  ]);
  await expect(run).rejects.toThrow('but it must stay where it is set');
});

const stuckAfter3March = () =>
  fakeClock(Date.UTC(2026, 2, 1), { shows: (set) => Math.min(set, Date.UTC(2026, 2, 3)) });

test('the clock is verified at the end', async () => {
  const until = (last: number) => {
    return new Timeline(stuckAfter3March()).run([(clock) => clock.pass(last)]);
  };
  await until(days(1));
  await expect(until(days(3))).rejects.toThrow(ClockError);
});
