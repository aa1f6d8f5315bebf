import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { down, inMemory, watching } from './in-memory.ts';
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

for (const [what, answer] of [
  ['away', () => down()],
  ['refusing the credentials', () => ({ status: 400 })],
  [
    'refusing its new tokens',
    (asked: string) => (asked.startsWith('GET') ? { status: 401 } : undefined),
  ],
] as const)
  test(`a canary that cannot be started while the provider is ${what} is made up for once it is not`, async () => {
    const { time, provider, target } = keeping();
    provider.answer = answer;
    const one = watching([opens], { time, provider, targets: [target] });
    const alive = () => one.status().targets[0]?.token?.canaries.alive;
    await time.pass(2 * hour);
    expect(alive()).toBe(0);
    delete provider.answer;
    await time.pass(5.1 * 60_000);
    expect(alive()).toBe(1);
    await time.pass(hour);
    expect(alive()).toBe(1);
  });

test('a provider that stays away is asked for the missing canary at one instant in five minutes', async () => {
  const { time, provider, target } = keeping();
  provider.answer = down;
  watching([], { time, provider, targets: [{ ...target, canaries: { everySeconds: 600 } }] });
  await time.pass(24 * hour);
  expect(provider.asked.length).toBeLessThan(24 * (12 + 6) + 2);
});
