import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Broker, startBroker } from '../../../pacts/broker/start.ts';
import { needs } from '../../programs.ts';
import { expect, pacticipants, send, test } from './broker.ts';

needs('pact-broker');

test('a user with the password may read and write', async ({ broker }) => {
  expect((await send(broker, '/', broker)).status).toBe(200);
  expect((await send(broker, '/pacticipants', broker, { name: 'written' })).status).toBe(201);
  expect(await pacticipants(broker)).toContain('written');
});

test('a user without the password is refused', async ({ broker }) => {
  expect((await send(broker, '/')).status).toBe(401);
  const another = { username: broker.username, password: broker.readOnly.password };
  expect((await send(broker, '/', another)).status).toBe(401);
  expect((await send(broker, '/pacticipants', undefined, { name: 'unverifiedPact' })).status).toBe(
    401,
  );
});

test('a read-only user cannot write', async ({ broker }) => {
  expect((await send(broker, '/', broker.readOnly)).status).toBe(200);
  const written = await send(broker, '/pacticipants', broker.readOnly, { name: 'unverifiedPact' });
  expect(written.status).toBe(401);
  expect(await pacticipants(broker)).not.toContain('unverifiedPact');
});

const webhook = async (broker: Broker, url: string): Promise<number> => {
  await send(broker, '/pacticipants', broker, { name: 'provider' });
  const request = { method: 'POST', url };
  const events = [{ name: 'contract_content_changed' }];
  const provider = { name: 'provider' };
  return (await send(broker, '/webhooks', broker, { provider, events, request })).status;
};

test('webhooks reach this machine, also by plain HTTP, and no other host', async ({ broker }) => {
  expect(await webhook(broker, 'http://127.0.0.1:9/dispatches')).toBe(201);
  expect(await webhook(broker, 'https://example.com/dispatches')).toBe(400);
});

test('webhooks reach the configured hosts, and no other host', async () => {
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

test('log and database contain no password', async ({ broker }) => {
  await send(broker, '/', broker);
  await send(broker, '/', broker.readOnly);
  const texts = [broker.log(), ...['', '-wal'].map((end) => readFileSync(broker.database + end))];
  for (const text of texts)
    for (const { password } of [broker, broker.readOnly])
      expect(text.includes(password), 'a password').toBe(false);
});
