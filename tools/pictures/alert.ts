import type { Browser } from '@playwright/test';
import { faulty } from '../../sandbox/demo-faults.ts';
import { startStack } from '../../tests/operations/stack.ts';
import { keep, tabOf } from './tab.ts';

/** Hides the rule's source, which is long, and its file path, which is specific to this machine. */
const withoutSources =
  'tr.alert_details pre, #alertsTable td[style*="2px"] { display: none !important }';

/** Prometheus' own page while an alert of the monitor fires; in Debian that page is below /classic. */
export async function alertPicture(browser: Browser): Promise<void> {
  await using stack = await startStack();
  stack.payments.become(faulty('token-in-query-access-token'));
  const tab = await tabOf(browser, 610, 1200);
  const alert = tab.locator('tr.alert-danger', { hasText: 'ContractMonitorUnauthorizedAdmitted' });
  const calm = tab.getByText('Pending (0)');
  for (let left = 300; left > 0; left -= 1) {
    if ((await alert.isVisible()) && (await calm.isVisible())) break;
    await tab.waitForTimeout(100);
    await tab.goto(new URL('/classic/alerts', stack.prometheus.address).href);
  }
  await tab.addStyleTag({ content: withoutSources });
  await tab.getByText('Inactive').click();
  await alert.click();
  await tab.getByRole('button', { name: 'Show annotations' }).click();
  await keep(tab, 'alert.png');
}
