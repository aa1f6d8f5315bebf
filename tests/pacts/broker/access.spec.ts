import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { needs } from '../../programs.ts';
import { ask, expect, pacticipants, test } from './broker.ts';

needs('pact-broker');

test('a user with the password may read and write', async ({ broker }) => {
  expect((await ask(broker, '/', broker)).status).toBe(200);
  expect((await ask(broker, '/pacticipants', broker, { name: 'written' })).status).toBe(201);
  expect(await pacticipants(broker)).toContain('written');
});

test('a user without the password is refused', async ({ broker }) => {
  expect((await ask(broker, '/')).status).toBe(401);
  const another = { username: broker.username, password: broker.readOnly.password };
  expect((await ask(broker, '/', another)).status).toBe(401);
  expect((await ask(broker, '/pacticipants', undefined, { name: 'unasked' })).status).toBe(401);
});

test('a read-only user cannot write', async ({ broker }) => {
  expect((await ask(broker, '/', broker.readOnly)).status).toBe(200);
  const written = await ask(broker, '/pacticipants', broker.readOnly, { name: 'unasked' });
  expect(written.status).toBe(401);
  expect(await pacticipants(broker)).not.toContain('unasked');
});

test('webhooks reach this machine, also by plain HTTP, and no other host', async ({ broker }) => {
  await ask(broker, '/pacticipants', broker, { name: 'provider' });
  const webhook = (url: string) =>
    ask(broker, '/webhooks', broker, {
      provider: { name: 'provider' },
      events: [{ name: 'contract_content_changed' }],
      request: { method: 'POST', url },
    });
  expect((await webhook('http://127.0.0.1:9/dispatches')).status).toBe(201);
  expect((await webhook('https://example.com/dispatches')).status).toBe(400);
});

test('database and log are private to their owner', async ({ broker }) => {
  const log = path.join(path.dirname(broker.database), 'broker.log');
  for (const file of [broker.database, `${broker.database}-wal`, log])
    expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('log and database contain no password', async ({ broker }) => {
  await ask(broker, '/', broker);
  await ask(broker, '/', broker.readOnly);
  const texts = [broker.log(), ...['', '-wal'].map((end) => readFileSync(broker.database + end))];
  for (const text of texts)
    for (const { password } of [broker, broker.readOnly])
      expect(text.includes(password), 'a password').toBe(false);
});
