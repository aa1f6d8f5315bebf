import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { judgeProvider } from '../contract/round.ts';
import { gateHtml } from '../gate/report/html.ts';
import { type Report, reportOf } from '../gate/report/report.ts';
import { ownSandbox } from '../gate/trial.ts';
import { probes } from '../probes/index.ts';
import { faulty } from '../sandbox/faults/index.ts';

/** `npm run pictures`: takes README's pictures of what the suite shows, in a real browser. */
const flags = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run';

/** A report on the sandbox with a fault switched on. */
async function reportOn(fault: string): Promise<Report> {
  const sandbox = await ownSandbox({ behaviour: faulty(fault) });
  try {
    const round = await judgeProvider(sandbox.target, probes);
    const { endpoints } = sandbox.target;
    const tookSeconds = (round.finishedAt.getTime() - round.startedAt.getTime()) / 1000;
    const about = { target: 'https://api.example.com', endpoints, again: 'npm run gate --' };
    return reportOf(round, { ...about, tookSeconds });
  } finally {
    await sandbox.close();
  }
}

async function picture(browser: Browser, address: string, name: string, height: number) {
  const page = await browser.newPage({ viewport: { width: 1100, height }, deviceScaleFactor: 1.5 });
  await page.goto(address);
  await page.screenshot({ path: fileURLToPath(new URL(name, import.meta.url)) });
  await page.close();
}

/** The monitor as `npm start` runs it, once every probe has run. @returns its page, and how to end it */
async function startMonitor(): Promise<{ readonly page: string; readonly stop: () => void }> {
  const main = fileURLToPath(new URL('../monitor/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, MONITOR_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = (): void => void child.kill();
  let address = '';
  for await (const line of createInterface(child.stdout)) {
    const { page, event } = JSON.parse(line);
    if (page !== undefined) address = page;
    if (event === 'state') return { page: address, stop };
  }
  throw new Error('the monitor ended');
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
  const monitor = await startMonitor();
  await picture(browser, monitor.page, 'monitor.png', 900);
  monitor.stop();
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
