import type { Browser } from '@playwright/test';
import { endpointName } from '../../contract/http/request.ts';
import { reportOf } from '../../contract/report/contract-report.ts';
import { pageHtml } from '../../contract/report/html.ts';
import type { Report } from '../../contract/report/report.ts';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { probes } from '../../probes/index.ts';
import { faulty } from '../../sandbox/demo-faults.ts';
import { judgeProvider } from '../../tests/judge/judge-provider.ts';
import { keep, tabOf } from './tab.ts';

const provider = 'https://api.example.com';

/** The gate's page about a provider that accepts tokens with a leeway after their expiry. */
export async function gatePicture(browser: Browser): Promise<void> {
  const tab = await tabOf(browser, 1180);
  const page = await pageHtml(await reportOn('leeway-of-a-second'));
  await tab.setContent(page.replaceAll('http://sandbox', provider));
  await keep(tab, 'gate.png');
}

async function reportOn(fault: string): Promise<Report> {
  await using sandbox = await ownSandbox({ behaviour: faulty(fault) });
  const endpoints = sandbox.target.endpoints.map(endpointName);
  const round = await judgeProvider(sandbox.target, probes);
  return reportOf(round, { target: provider, endpoints, again: 'npm run gate --' });
}
