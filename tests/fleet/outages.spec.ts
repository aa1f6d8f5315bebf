import { expect, test } from '@playwright/test';
import { simulatedFleet } from './simulated-fleet.ts';

const second = 1_000;
const minute = 60 * second;

test('the counters of a target never decrease when the database was away for longer than a lease', async () => {
  const fleet = simulatedFleet({ seed: 'away', members: 1, targets: 1, periodSeconds: 30 });
  const [member] = fleet.members;
  member.start();
  await fleet.pass(10 * minute);
  const runs = async () => {
    const text = (await member.running?.exported.of('target-0')) ?? '';
    return Number(/^monitor_runs_total\{.*outcome="kept".*\} (\d+)$/m.exec(text)?.[1]);
  };
  const before = await runs();
  expect(before).toBeGreaterThan(20);
  fleet.server.isGone = true;
  await fleet.pass(minute);
  expect(fleet.spread()).toEqual([0]);
  fleet.server.isGone = false;
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await fleet.pass(second);
    expect(await runs()).toBeGreaterThanOrEqual(before);
  }
  expect(fleet.spread()).toEqual([1]);
});
