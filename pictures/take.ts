import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { judgeProvider, type Round, type Target } from '../contract/round.ts';
import { gateHtml } from '../gate/report/html.ts';
import { type Report, reportOf } from '../gate/report/report.ts';
import { ownSandbox } from '../gate/trial.ts';
import { page } from '../monitor/page.ts';
import type { Status } from '../monitor/status.ts';
import { probes } from '../probes/index.ts';
import { faulty } from '../sandbox/faults/index.ts';
import { startStack } from '../tests/operations/stack.ts';
import { exampleStatus } from './example.ts';

/** `npm run pictures`: takes README's pictures of what the suite shows, in a real browser. */
const flags = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run';

/** What all probes find at the sandbox with a fault switched on. */
async function judged(fault: string): Promise<Round & Pick<Target, 'endpoints'>> {
  const sandbox = await ownSandbox({ behaviour: faulty(fault) });
  try {
    const { endpoints } = sandbox.target;
    return { ...(await judgeProvider(sandbox.target, probes)), endpoints };
  } finally {
    await sandbox.close();
  }
}

async function reportOn(fault: string): Promise<Report> {
  const round = await judged(fault);
  const tookSeconds = (round.finishedAt.getTime() - round.startedAt.getTime()) / 1000;
  const about = {
    target: 'https://api.example.com',
    endpoints: round.endpoints,
    again: 'npm run gate --',
  };
  return reportOf(round, { ...about, tookSeconds });
}

async function picture(browser: Browser, address: string, name: string, height: number) {
  const tab = await browser.newPage({ viewport: { width: 1100, height }, deviceScaleFactor: 1.5 });
  await tab.goto(address);
  await tab.screenshot({ path: fileURLToPath(new URL(name, import.meta.url)) });
  await tab.close();
}

/** The monitor's page with its style, in a file: it needs no monitor behind it to be looked at. */
async function monitorPage(status: Status): Promise<string> {
  const style = await readFile(new URL('../monitor/style.css', import.meta.url), 'utf8');
  const text = String(await page(status));
  return text.replace(/<link rel="stylesheet".*>/, () => `<style>${style}</style>`);
}

/** The source of the rule is long, and where the rules lie is of this machine. */
const withoutSources =
  'tr.alert_details pre, #alertsTable td[style*="2px"] { display: none !important }';

/** Prometheus' own page while an alert of the monitor fires; Debian has that page below /classic. */
async function alertPicture(browser: Browser): Promise<void> {
  await using stack = await startStack();
  stack.payments.become(faulty('token-in-query-access-token'));
  const viewport = { width: 1200, height: 610 };
  const tab = await browser.newPage({ viewport, deviceScaleFactor: 1.5 });
  const alert = tab.locator('tr.alert-danger', { hasText: 'UnauthorisedRequestAdmitted' });
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
  await tab.screenshot({ path: fileURLToPath(new URL('alert.png', import.meta.url)) });
  await tab.close();
}

const folder = await mkdtemp(path.join(os.tmpdir(), 'pictures-'));
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: flags.split(' '),
});
try {
  const file = path.join(folder, 'gate.html');
  await writeFile(file, await gateHtml(await reportOn('leeway-of-a-second')));
  await picture(browser, pathToFileURL(file).href, 'gate.png', 1180);
  const monitor = path.join(folder, 'monitor.html');
  await writeFile(
    monitor,
    await monitorPage(exampleStatus(await judged('leeway-of-five-minutes'))),
  );
  await picture(browser, pathToFileURL(monitor).href, 'monitor.png', 1720);
  await alertPicture(browser);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
