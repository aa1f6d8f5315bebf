import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { inMemory, watching } from './in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

const hour = 3_600_000;

/** A right provider, of which a canary is kept every four hours. */
function keeping() {
  const time = simulatedTime();
  const provider = inMemory(time);
  const target = { ...provider.target, canaries: { everySeconds: 4 * 3600 } };
  return { time, provider, target };
}

test('that hours have passed since the last check makes the age of a new canary no less certain', async () => {
  const { time, provider, target } = keeping();
  const one = watching([opens], { time, provider, targets: [target] });
  await time.pass(10 * hour);
  const { checks = [] } = one.status().targets[0]?.token ?? {};
  expect(checks.length).toBeGreaterThanOrEqual(2);
  for (const { leastSeconds, mostSeconds = Infinity } of checks)
    expect(mostSeconds - leastSeconds).toBeLessThan(5);
});

test('canaries that were lost in maintenance are counted after a restart too, for a week', async () => {
  const { time, provider, target } = keeping();
  const from = time.wall() + 6 * hour;
  const targets = [{ ...target, maintenance: [{ from, until: from + hour }] }];
  const first = watching([opens], { time, provider, targets });
  await time.pass(6.5 * hour);
  provider.wipe();
  await time.pass(13 * hour);
  const lost = first.status().targets[0]?.token?.canaries.lost;
  expect(lost).toBeGreaterThan(0);
  await first.drain(1_000);
  time.kill();
  const again = watching([opens], { time, provider, targets, state: first.state });
  expect(again.status().targets[0]?.token?.canaries.lost).toBe(lost);
  await time.pass(9 * 24 * hour);
  expect(again.status().targets[0]?.token?.canaries.lost).toBe(0);
});
