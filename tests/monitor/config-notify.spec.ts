import { rootCertificates } from 'node:tls';
import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import { exampleConfig } from './example-config.ts';

test('the notifications of monitor.example.yaml take effect, with their credentials', () => {
  const { notify } = exampleConfig(test.info().outputPath('there'));
  expect(notify).toMatchObject({
    resolveAfterMs: 900_000,
    page: new URL('https://monitor.example.com'),
    severities: { page: 'critical', ticket: 'warning' },
    labels: { vantage: 'eu-central' },
  });
  expect(notify?.receivers.map(({ kind, url, ca }) => [kind, url.host, ca])).toEqual([
    ['alertmanager', 'alertmanager.example.com', undefined],
    ['alertmanager', 'alertmanager-2.example.com', `${rootCertificates[1]}\n`],
    ['alertmanager', 'alertmanager-3.example.com', undefined],
    ['alertmanager', 'alertmanager-4.example.com', undefined],
    ['webhook', 'hooks.example.com', undefined],
    ['webhook', 'tickets.example.com', undefined],
  ]);
  const basic = `Basic ${Buffer.from('monitor:<PASSWORD>').toString('base64')}`;
  const expected = ['Bearer <TOKEN>', 'Bearer <TOKEN>', basic, basic];
  for (const [index, one] of notify?.receivers.entries() ?? []) {
    const credential = one.kind === 'webhook' ? one.secret : one.authorization;
    expect(credential?.equals(new Secret(expected[index] ?? '<SECRET-OF-WEBHOOK>'))).toBe(true);
  }
});
