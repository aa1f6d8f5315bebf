import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Account } from '../../tools/broker/start.ts';
import { ours, type Running, startNode } from '../process.ts';
import { needs } from '../programs.ts';
import { expect, test } from './real-broker.ts';

needs('pact-broker');

/** Starts `npm run broker` in its own process. */
const run = (...args: readonly string[]): Running =>
  startNode(ours(''), [ours('tools/broker/start.ts'), ...args], { HOME: process.env.HOME ?? '' });

/** The status of a request as a user, or without credentials. @param name of a consumer that is created */
async function statusOf(url: URL, account?: Account, name?: string): Promise<number> {
  const { username, password } = account ?? {};
  const headers = {
    'content-type': 'application/json',
    ...(account && { authorization: `Basic ${btoa(`${username}:${password}`)}` }),
  };
  const body = name === undefined ? {} : { method: 'POST', body: JSON.stringify({ name }) };
  return (await fetch(url, { headers, ...body })).status;
}

test('npm run broker prints its address, and keeps its data and its files private', async ({
  folder,
}) => {
  for (const kept of [404, 200]) {
    await using running = run('--folder', folder, '--port', '0');
    await running.line(/^(Ctrl-C ends it)\.$/m);
    const env = parseEnv(readFileSync(path.join(folder, 'env'), 'utf8'));
    const { PACT_BROKER_USERNAME: username = '', PACT_BROKER_PASSWORD: password = '' } = env;
    const baseUrl = new URL(env.PACT_BROKER_BASE_URL ?? '');
    const { stdout } = running.output();
    expect(stdout).toContain(`Pact Broker  ${baseUrl.origin}\n`);
    expect(stdout).toContain(`set -a; . ${path.join(folder, 'env')}; set +a\n`);
    expect(stdout).not.toContain(password);
    const account = { username, password };
    expect(await statusOf(new URL('/pacticipants/kept', baseUrl), account)).toBe(kept);
    expect(await statusOf(new URL('/pacticipants', baseUrl), account, 'kept')).toBe(201);
    const files = ['broker.log', 'pact_broker.sqlite3', 'pact_broker.sqlite3-wal'];
    for (const file of ['env', ...files])
      expect(statSync(path.join(folder, file)).mode & 0o777, file).toBe(0o600);
    for (const file of files)
      expect(readFileSync(path.join(folder, file), 'latin1')).not.toContain(password);
    running.child.kill('SIGINT');
    expect(await running.ended).toExitWith(0);
    await expect(statusOf(baseUrl)).rejects.toThrow();
  }
});

test('no broker outlives a killed process', async ({ folder }) => {
  await using running = run('--folder', folder, '--port', '0');
  const baseUrl = new URL((await running.line(/^Pact Broker {2}(\S+)$/m)) ?? '');
  expect(await statusOf(baseUrl)).toBe(401);
  running.child.kill('SIGKILL');
  await expect.poll(() => statusOf(baseUrl).catch(() => 'gone')).toBe('gone');
});

test('a user without password is refused, and a read-only one cannot write', async ({ broker }) => {
  const { baseUrl, username, readOnly } = broker;
  expect(await statusOf(baseUrl)).toBe(401);
  expect(await statusOf(baseUrl, { username, password: readOnly.password })).toBe(401);
  expect(await statusOf(baseUrl, readOnly)).toBe(200);
  expect(await statusOf(new URL('/pacticipants', baseUrl), readOnly, 'unwritten')).toBe(401);
});

test('a wrong folder or port, or one in use, is one line and no start', async ({
  broker,
  folder,
}) => {
  const { port } = broker.baseUrl;
  const file = path.join(ours(''), 'package.json');
  for (const [args, message] of [
    [['--port', '70000'], '--port 70000 is not a port'],
    [['--folder', file], `--folder ${file} cannot hold the database and the log: EEXIST`],
    [['--folder', folder, '--port', port], `port ${port} of 127.0.0.1 is in use: choose another`],
  ] as const) {
    const stderr = expect.stringMatching(/^[^\n]*\n$/);
    const ended = await run(...args).ended;
    expect(ended).toMatchObject({ exit: 2, stdout: '', stderr });
    expect(ended.stderr).toContain(message);
  }
});
