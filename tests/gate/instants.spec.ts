import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { probes } from '../../probes/index.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/** Judges the sandbox, and counts the requests and how often the gate sets the clock. */
async function roundOn(target: Target): Promise<{ exit: number; requests: number; sets: number }> {
  const { clock } = target;
  if (clock === undefined) throw new Error('the sandbox has a clock');
  let sets = 0;
  const counting = {
    ...clock,
    set: (instant: number): Promise<void> => {
      sets += 1;
      return clock.set(instant);
    },
  };
  const { exit, requests } = await judgeProvider({ ...target, clock: counting }, probes);
  return { exit, requests, sets };
}

test('probes share instants of simulated time: far away each instant costs a round trip', async () => {
  const { exit, sets } = await roundOn(sandboxInMemory(undefined, startAt));
  expect(exit).toBe(0);
  expect(sets).toBeLessThanOrEqual(130);
});
