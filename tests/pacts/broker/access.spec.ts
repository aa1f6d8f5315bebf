import { statSync } from 'node:fs';
import path from 'node:path';
import { type Broker, startBroker } from '../../../pacts/broker/start.ts';
import { needs } from '../../programs.ts';
import { ask, expect, test } from './broker.ts';

needs('pact-broker');

const webhook = async (broker: Broker, url: string): Promise<number> => {
  await ask(broker, '/pacticipants', broker, { name: 'provider' });
  const request = { method: 'POST', url };
  const events = [{ name: 'contract_content_changed' }];
  const provider = { name: 'provider' };
  return (await ask(broker, '/webhooks', broker, { provider, events, request })).status;
};

test('webhooks reach this machine, also by plain HTTP, and no other host', async ({ broker }) => {
  expect(await webhook(broker, 'http://127.0.0.1:9/dispatches')).toBe(201);
  expect(await webhook(broker, 'https://example.com/dispatches')).toBe(400);
});

test('webhooks reach a host that is given, and no other one', async () => {
  const folder = test.info().outputPath('broker');
  await using broker = await startBroker({ folder, webhookHosts: ['api.github.com'] });
  expect(await webhook(broker, 'https://api.github.com/repos/a/b/dispatches')).toBe(201);
  expect(await webhook(broker, 'http://127.0.0.1:9/dispatches')).toBe(201);
  expect(await webhook(broker, 'https://example.com/dispatches')).toBe(400);
});

test('database and log are private to their owner', async ({ broker }) => {
  const log = path.join(path.dirname(broker.database), 'broker.log');
  for (const file of [broker.database, `${broker.database}-wal`, log])
    expect(statSync(file).mode & 0o777).toBe(0o600);
});
