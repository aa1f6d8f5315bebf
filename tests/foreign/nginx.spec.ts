import { expect, test } from '@playwright/test';
import { targetAt } from '../../gate/under-test.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { type Authority, authority } from '../client/certificates.ts';
import { faulty } from '../faults/index.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { nightly } from '../nightly.ts';
import { needs } from '../programs.ts';
import { startNginx } from './nginx.ts';

nightly();
needs('nginx', 'openssl');

let certificates: Authority;
test.beforeAll(async () => {
  certificates = await authority();
});
test.afterAll(() => certificates.remove());

for (const [title, behaviour, violated] of [
  ['a correct provider behind nginx keeps every clause', right, undefined],
  ['a fault of a provider behind nginx is found', faulty('leeway-of-a-minute'), 'EXPIRY-2'],
] as const)
  test(title, async () => {
    await using sandbox = await startSandbox({ behaviour });
    await using nginx = await startNginx(sandbox.baseUrl, certificates);
    const origin = new URL(`https://${nginx.address.host}`);
    const { connection, ...target } = targetAt(sandbox.baseUrl);
    const { clauses, exit } = await judgeProvider(
      { ...target, connection: { ...connection, origin, ca: certificates.cert } },
      probes,
    );
    const found = clauses.find(({ verdict }) => verdict === 'violated');
    expect(found?.clause.id).toBe(violated);
    expect(exit).toBe(violated === undefined ? 0 : 1);
  });
