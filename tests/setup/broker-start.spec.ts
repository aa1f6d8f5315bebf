import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { textIn } from '../../contract/json-value.ts';
import { fromRoot, type Running, startNode } from '../process.ts';
import { needs } from '../programs.ts';
import { clientOf, expect, test } from './real-broker.ts';

needs('pact-broker');

/** Starts `npm run broker` in its own process. */
const run = (...args: readonly string[]): Running =>
  startNode(fromRoot(''), [fromRoot('tools/broker/start.ts'), ...args], {
    HOME: process.env.HOME ?? '',
  });

const statusOf = async (url: URL, request?: RequestInit): Promise<number> =>
  (await fetch(url, request)).status;

test('npm run broker prints its address, and keeps its data and its files private', async ({
  folder,
}) => {
  for (const kept of [404, 200]) {
    await using running = run('--folder', folder, '--port', '0');
    await running.line(/^(Ctrl-C ends it)\.$/m);
    const env = parseEnv(readFileSync(path.join(folder, 'env'), 'utf8'));
    const { PACT_BROKER_USERNAME: username, PACT_BROKER_PASSWORD: password = '' } = env;
    const baseUrl = new URL(env.PACT_BROKER_BASE_URL ?? '');
    const { stdout } = running.output();
    expect(stdout).toContain(`Pact Broker  ${baseUrl.origin}\n`);
    expect(stdout).toContain(`set -a; . ${path.join(folder, 'env')}; set +a\n`);
    expect(stdout).not.toContain(password);
    expect(await statusOf(baseUrl)).toBe(401);
    const authorization = `Basic ${btoa(`${username}:${password}`)}`;
    const headers = { authorization, 'content-type': 'application/json' };
    expect(await statusOf(new URL('/pacticipants/kept', baseUrl), { headers })).toBe(kept);
    const made = { method: 'POST', headers, body: '{"name": "kept"}' };
    expect(await statusOf(new URL('/pacticipants', baseUrl), made)).toBe(201);
    const files = ['broker.log', 'pact_broker.sqlite3', 'pact_broker.sqlite3-wal'];
    for (const file of ['env', ...files])
      expect(statSync(path.join(folder, file)).mode & 0o777, file).toBe(0o600);
    for (const file of files)
      expect(readFileSync(path.join(folder, file), 'latin1')).not.toContain(password);
    running.child.kill(kept === 404 ? 'SIGINT' : 'SIGKILL');
    const { exit } = await running.ended;
    expect(exit).toBe(kept === 404 ? 0 : null);
    await expect.poll(() => statusOf(baseUrl).catch(() => 'gone')).toBe('gone');
  }
});

test('can-i-deploy answers about a provider with many consumers', async ({ broker }) => {
  const client = await clientOf(broker);
  const made = await client.request('POST', '/environments', { name: 'test', production: false });
  const place = `deployed-versions/environment/${textIn(made.document, 'uuid')}`;
  const provider = { name: 'public-api' };
  for (let number = 1; number <= 20; number++) {
    const consumer = { name: `consumer-${number}` };
    const pact = `/pacts/provider/public-api/consumer/${consumer.name}/version/1`;
    await client.request('PUT', pact, { consumer, provider, interactions: [] });
    await client.request('POST', `/pacticipants/${consumer.name}/versions/1/${place}`, {});
  }
  await client.request('PUT', '/pacticipants/public-api/versions/1', {});
  const query = 'q[][pacticipant]=public-api&q[][version]=1&latestby=cvpv&environment=test';
  const matrix = await client.get(`/matrix?${encodeURI(query)}`, 'matrix');
  expect(matrix).toMatchObject({ summary: { deployable: null, unknown: 20 } });
});
