import type { Browser } from '@playwright/test';
import { faultCalled } from '../../monitor/demo/faults.ts';
import { show } from '../../monitor/demo/show.ts';
import { keep, tabOf } from './tab.ts';

/** Simulated days before the picture is taken; one takes ten seconds. */
const daysBefore = 5;
const speed = 8640;

/** The monitor's page in the demo, some days after its provider began to accept expired tokens. */
export async function monitorPicture(browser: Browser): Promise<void> {
  const demo = await show({
    monitor: { host: '127.0.0.1', port: 0 },
    timeoutMs: 5000,
    speed,
    fault: faultCalled('leeway-of-a-minute'),
    out: { write() {} },
  });
  try {
    const tab = await tabOf(browser, 1720);
    await tab.waitForTimeout((daysBefore * 86_400_000) / speed);
    await tab.goto(demo.page.href);
    await keep(tab, 'monitor.png');
  } finally {
    await demo.stop('the end');
  }
}
