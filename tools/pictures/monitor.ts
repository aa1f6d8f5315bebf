import type { Browser } from '@playwright/test';
import { faulty } from '../../sandbox/demo-faults.ts';
import { speed, startFastMonitor } from './fast-monitor.ts';
import { keep, tabOf } from './tab.ts';

/** Simulated days before the picture is taken; one takes ten seconds. */
const daysBefore = 5;

/** The monitor's page, some days after its provider began to accept expired tokens. */
export async function monitorPicture(browser: Browser): Promise<void> {
  await using monitor = await startFastMonitor(faulty('leeway-of-a-minute'));
  const tab = await tabOf(browser, 1720);
  await tab.waitForTimeout((daysBefore * 86_400_000) / speed);
  await tab.goto(monitor.page.href);
  await keep(tab, 'monitor.png');
}
