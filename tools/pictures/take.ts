/** `npm run pictures`: takes the pictures of the documentation in a real browser. */
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { readCommandLine } from '../../config/command-line.ts';
import { runCommand } from '../../contract/command.ts';
import { days, lifetime } from '../../contract/durations.ts';
import { endpointName } from '../../contract/http/request.ts';
import { createReport } from '../../contract/report/contract-report.ts';
import { pageHtml, readStyles } from '../../contract/report/html.ts';
import { targetAt } from '../../gate/under-test.ts';
import { page } from '../../monitor/web/page.ts';
import { probes } from '../../probes/index.ts';
import { faulty } from '../../sandbox/demo-faults.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { judgeProvider } from '../../tests/judge/judge-provider.ts';
import { watching } from '../../tests/monitor/in-memory.ts';
import { inMemory } from '../../tests/monitor/service-in-memory.ts';
import { simulatedTime } from '../../tests/monitor/simulated-time.ts';

const help = `npm run pictures

Takes the pictures of the documentation in a real Chromium, and writes them to tools/pictures/.
`;

const address = 'https://api.example.com';

async function main(args: readonly string[]): Promise<0> {
  readCommandLine('npm run pictures', { args: [...args] });
  await using browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  });
  const take = async (name: string, height: number, html: string): Promise<void> => {
    const viewport = { width: 1100, height };
    const tab = await browser.newPage({ viewport, deviceScaleFactor: 1.5 });
    await tab.setContent(html);
    await tab.screenshot({ path: fileURLToPath(new URL(`${name}.png`, import.meta.url)) });
  };
  await take('gate', 1180, await gatePage());
  await take('monitor', 1720, await monitorPage());
  return 0;
}

/** The gate's page about a provider that accepts tokens with a leeway after their expiry. */
export async function gatePage(): Promise<string> {
  await using sandbox = await startSandbox({ behaviour: faulty('leeway-of-a-second') });
  const target = targetAt(sandbox.baseUrl);
  const endpoints = target.endpoints.map(endpointName);
  const round = await judgeProvider(target, probes);
  const report = createReport(round, { target: address, endpoints, again: 'npm run gate --' });
  return (await pageHtml(report)).replaceAll(sandbox.baseUrl.origin, address);
}

/** The monitor's page about a provider that has accepted expired tokens for five days of simulated time. */
export async function monitorPage(): Promise<string> {
  const time = simulatedTime();
  const provider = inMemory(time);
  provider.lifetime = lifetime + 60_000;
  const target = { ...provider.target, name: 'production' };
  const watch = watching(probes, { time, provider, targets: [target] });
  await time.pass(days(5));
  const own = { targetsInFile: 1, loadedAt: 0, failedWrites: 0, isStateWritable: true };
  const style = readStyles(new URL('../../monitor/web/style.css', import.meta.url));
  return String(page({ ...watch.view(), version: '', own }))
    .replaceAll('http://in-memory', address)
    .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${style}</style>`);
}

await runCommand(main, help);
