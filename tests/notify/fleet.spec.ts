import { expect, test } from '@playwright/test';
import { startCluster } from '../fleet/cluster.ts';
import { addressOf, type Monitor, startMonitor } from '../monitor/process.ts';
import { leaky, startProvider } from '../monitor/provider.ts';
import { needs } from '../programs.ts';
import { seen, settings, startWebhook } from './webhook-server.ts';

needs('postgres');

const soon = { timeout: 240_000, intervals: [100] };

/** Whether a monitor watches the only target. */
async function holds(monitor: Monitor): Promise<boolean> {
  const status = await fetch(new URL('/status.json', await addressOf(monitor)));
  return JSON.parse(await status.text()).targets.length === 1;
}

test('an event is reported once when the monitor that reported it is killed and another goes on', async () => {
  await using provider = await startProvider();
  await using cluster = await startCluster();
  await using hook = await startWebhook();
  const own = settings(provider.baseUrl, hook.address);
  const env = { ...own, MONITOR_STATE: await cluster.database() };
  await using first = startMonitor(env);
  await expect.poll(() => holds(first), soon).toBe(true);
  await using second = startMonitor(env);
  provider.become(leaky);
  await expect.poll(() => seen(hook), soon).toContain('firing ERROR-3');
  // The first monitor has saved that the message was delivered.
  await expect.poll(() => waiting(first), soon).toBe(0);
  await first.stop('SIGKILL');
  await expect.poll(() => holds(second), soon).toBe(true);
  expect(seen(hook)).not.toContain('resolved ERROR-3');
  provider.become({});
  await expect.poll(() => seen(hook), soon).toContain('resolved ERROR-3');
  for (const line of ['firing ERROR-3', 'resolved ERROR-3'])
    expect(seen(hook).filter((one) => one === line)).toEqual([line]);
  expect(await second.stop()).toBe(0);
});

async function waiting(monitor: Monitor): Promise<number> {
  const status = await fetch(new URL('/status.json', await addressOf(monitor)));
  return JSON.parse(await status.text()).notifications.receivers[0].waiting;
}
