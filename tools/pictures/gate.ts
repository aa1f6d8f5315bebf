import { endpointName } from '../../contract/http/request.ts';
import { reportOf } from '../../contract/report/contract-report.ts';
import { pageHtml } from '../../contract/report/html.ts';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { probes } from '../../probes/index.ts';
import { faulty } from '../../sandbox/demo-faults.ts';
import { judgeProvider } from '../../tests/judge/judge-provider.ts';

const provider = 'https://api.example.com';

/** The gate's page about a provider that accepts tokens with a leeway after their expiry. */
export async function gatePage(): Promise<string> {
  await using sandbox = await ownSandbox({ behaviour: faulty('leeway-of-a-second') });
  const endpoints = sandbox.target.endpoints.map(endpointName);
  const round = await judgeProvider(sandbox.target, probes);
  const report = reportOf(round, { target: provider, endpoints, again: 'npm run gate --' });
  return (await pageHtml(report)).replaceAll(sandbox.target.connection.origin.origin, provider);
}
