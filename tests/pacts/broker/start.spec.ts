import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { ours, type Ran, type Running, startNode } from '../../process.ts';
import { needs } from '../../programs.ts';
import { expect, pacticipants, send, test } from './broker.ts';

needs('pact-broker');

/** Starts `npm run broker` in its own process. */
const run = (...args: readonly string[]): Running =>
  startNode(ours(''), [ours('tools/broker/start.ts'), ...args], { HOME: process.env.HOME ?? '' });

test('npm run broker prints its address, and keeps its files private', async ({ folder }) => {
  for (const before of [[], ['kept']]) {
    await using running = run('--folder', folder, '--port', '0');
    await running.line(/^(Ctrl-C ends it)\.$/m);
    const env = parseEnv(readFileSync(path.join(folder, 'env'), 'utf8'));
    const { PACT_BROKER_USERNAME: username = '', PACT_BROKER_PASSWORD: password = '' } = env;
    const broker = { baseUrl: new URL(env.PACT_BROKER_BASE_URL ?? ''), username, password };
    const { stdout } = running.output();
    expect(stdout).toContain(`Pact Broker  ${broker.baseUrl.origin}\n`);
    expect(stdout).toContain(`set -a; . ${path.join(folder, 'env')}; set +a\n`);
    expect(stdout).not.toContain(password);
    expect(await pacticipants(broker)).toEqual(before);
    await send(broker, '/pacticipants', broker, { name: 'kept' });
    for (const file of ['env', 'broker.log', 'pact_broker.sqlite3', 'pact_broker.sqlite3-wal'])
      expect(statSync(path.join(folder, file)).mode & 0o777, file).toBe(0o600);
    for (const file of ['broker.log', 'pact_broker.sqlite3', 'pact_broker.sqlite3-wal'])
      expect(readFileSync(path.join(folder, file), 'latin1')).not.toContain(password);
    running.child.kill('SIGINT');
    expect((await running.ended).exit).toBe(0);
    await expect(send(broker, '/')).rejects.toThrow();
  }
});

test('no broker outlives a killed process', async ({ folder }) => {
  await using running = run('--folder', folder, '--port', '0');
  const address = await running.line(/^Pact Broker {2}(\S+)$/m);
  const broker = { baseUrl: new URL(address ?? '') };
  expect((await send(broker, '/')).status).toBe(401);
  running.child.kill('SIGKILL');
  const refused = () =>
    send(broker, '/').then(
      () => false,
      () => true,
    );
  await expect.poll(refused).toBe(true);
});

test('a user without password is refused, and a read-only one cannot write', async ({ broker }) => {
  expect((await send(broker, '/')).status).toBe(401);
  const another = { username: broker.username, password: broker.readOnly.password };
  expect((await send(broker, '/', another)).status).toBe(401);
  expect((await send(broker, '/', broker.readOnly)).status).toBe(200);
  const written = await send(broker, '/pacticipants', broker.readOnly, { name: 'unwritten' });
  expect(written.status).toBe(401);
  expect(await pacticipants(broker)).not.toContain('unwritten');
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
    const { exit, stdout, stderr }: Ran = await run(...args).ended;
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  expect((await send(broker, '/', broker)).status).toBe(200);
});
