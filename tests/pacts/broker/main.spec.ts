import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type Environment, ours, type Running, startNode } from '../../process.ts';
import { needs } from '../../programs.ts';
import { expect, pidIn, runs, send, test } from './broker.ts';

needs('pact-broker');

/** Starts `npm run broker` in its own process. */
const run = (args: readonly string[], env: Environment = {}): Running =>
  startNode(ours(''), [ours('pacts/broker/main.ts'), ...args], {
    HOME: process.env.HOME ?? '',
    ...env,
  });

const isReady = /^(Ctrl-C ends it)\.$/m;

/** The arguments for a broker in this folder, on a free port. */
const anywhere = (folder: string): readonly string[] => ['--folder', folder, '--port', '0'];

/** The address and account in the `env` file that configures Pact's commands for the broker. */
function pointed(folder: string): { baseUrl: URL; username: string; password: string } {
  const env = parseEnv(readFileSync(path.join(folder, 'env'), 'utf8'));
  return {
    baseUrl: new URL(env.PACT_BROKER_BASE_URL ?? ''),
    username: env.PACT_BROKER_USERNAME ?? '',
    password: env.PACT_BROKER_PASSWORD ?? '',
  };
}

const pidOf = (folder: string): number =>
  pidIn(readFileSync(path.join(folder, 'broker.log'), 'utf8'));

test('the broker prints its address, and keeps the password in a private file', async ({
  folder,
}) => {
  await using broker = run(anywhere(folder));
  await broker.line(isReady);
  const text = broker.output().stdout;
  const at = pointed(folder);
  expect(text).toContain(`Pact Broker  ${at.baseUrl.origin}\n`);
  expect(text).toContain(`set -a; . ${path.join(folder, 'env')}; set +a\n`);
  expect(text).not.toContain(at.password);
  expect(statSync(path.join(folder, 'env')).mode & 0o777).toBe(0o600);
  expect((await send(at, '/', at)).status).toBe(200);
  broker.child.kill('SIGINT');
  expect((await broker.ended).exit).toBe(0);
  expect(runs(pidOf(folder))).toBe(false);
  // A broker that stops cleanly writes its log into the database.
  expect(existsSync(path.join(folder, 'pact_broker.sqlite3-wal'))).toBe(false);
});

test('no broker outlives a killed process', async ({ folder }) => {
  await using broker = run(anywhere(folder));
  await broker.line(isReady);
  expect(runs(pidOf(folder))).toBe(true);
  broker.child.kill('SIGKILL');
  await expect.poll(() => runs(pidOf(folder))).toBe(false);
});

test('the password is kept from run to run, and the database until an empty one is requested', async ({
  folder,
}) => {
  const passwords: string[] = [];
  const statuses: number[] = [];
  for (const more of [[], [], ['--empty']]) {
    await using broker = run([...anywhere(folder), ...more]);
    await broker.line(isReady);
    const at = pointed(folder);
    passwords.push(at.password);
    statuses.push((await send(at, '/pacticipants/kept', at)).status);
    await send(at, '/pacticipants', at, { name: 'kept' });
    broker.child.kill('SIGTERM');
    expect((await broker.ended).exit).toBe(0);
  }
  expect(statuses).toEqual([404, 200, 404]);
  expect(new Set(passwords).size).toBe(1);
});

test("the caller's own settings of Pact do not reach the broker", async ({ folder }) => {
  const elsewhere = path.join(folder, 'elsewhere.sqlite3');
  await using broker = run(anywhere(folder), {
    PACT_BROKER_BASIC_AUTH_ENABLED: 'false',
    PACT_BROKER_ALLOW_PUBLIC_READ: 'true',
    PACT_BROKER_DATABASE_URL: `sqlite:///${elsewhere}`,
    PACT_BROKER_BASE_URL: 'https://broker.example.com',
  });
  await broker.line(isReady);
  const at = pointed(folder);
  expect((await send(at, '/')).status).toBe(401);
  expect(await (await send(at, '/', at)).text()).not.toContain('broker.example.com');
  expect(existsSync(elsewhere)).toBe(false);
  broker.child.kill('SIGTERM');
  await broker.ended;
});

test('a broker that exits ends the run with code 2', async ({ folder }) => {
  await using broker = run(anywhere(folder));
  await broker.line(isReady);
  process.kill(pidOf(folder), 'SIGKILL');
  const { exit, stderr } = await broker.ended;
  expect([exit, stderr]).toEqual([2, 'the Pact Broker has ended by itself: its log says why\n']);
});

test('a port in use is one line, code 2, and does not affect its owner', async ({
  broker,
  folder,
}) => {
  const { port } = broker.baseUrl;
  expect(await run(['--folder', folder, '--port', port]).ended).toEqual({
    exit: 2,
    stdout: '',
    stderr: `port ${port} of 127.0.0.1 is in use: choose another one with --port\n`,
  });
  expect((await send(broker, '/', broker)).status).toBe(200);
});

/** Puts a script in place of the `ruby` that runs Puma. @returns PATH */
function rubyIs(folder: string, script: string): Environment {
  const text = `#!/bin/sh\ncase "$*" in *puma*) ${script} ;; esac\n`;
  writeFileSync(path.join(folder, 'ruby'), text, { mode: 0o755 });
  return { PATH: `${folder}:${process.env.PATH}` };
}

test('a broker that does not start shows the end of its log, and code 2', async ({ folder }) => {
  const env = rubyIs(folder, 'echo "no such gem"; exit 7');
  expect(await run(anywhere(folder), env).ended).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'the Pact Broker ended before it answered; the end of its log:\nno such gem\n',
  });
});

test('a broker whose account file cannot be written is stopped, with code 2', async ({
  folder,
}) => {
  // The broker itself starts, but a folder exists where its account file should be.
  const env = rubyIs(folder, `mkdir env; PATH='${process.env.PATH}' exec ruby "$@"`);
  await using broker = run(anywhere(folder), env);
  const { exit, stderr } = await broker.ended;
  expect(stderr).toContain(path.join(folder, 'env'));
  expect(exit).toBe(2);
  expect(runs(pidOf(folder))).toBe(false);
});

test('a machine without Ruby gets the command that installs it', async ({ folder }) => {
  const { exit, stdout, stderr } = await run(anywhere(folder), { PATH: folder }).ended;
  expect(stderr).toMatch(
    /^the Pact Broker needs Ruby and a C compiler: npm run setup installs them \(.*\bruby-dev\b.*\)\n$/,
  );
  expect([exit, stdout]).toEqual([2, '']);
});

test('a file in place of the folder is one line that names the option, and code 2', async ({
  folder,
}) => {
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  for (const [place, code] of [
    [file, 'EEXIST'],
    [path.join(file, 'below'), 'ENOTDIR'],
  ] as const)
    expect(await run(anywhere(place)).ended).toEqual({
      exit: 2,
      stdout: '',
      stderr: `${place} is not a folder that can be written (${code}): --folder names another\n`,
    });
});

for (const [args, complaint] of [
  [['--port', '70000'], '--port 70000 is not a port'],
  [['--port', 'http'], '--port http is not a port'],
  [['--emtpy'], "Unknown option '--emtpy'"],
] as const)
  test(`${args.join(' ')} is refused, and nothing is started`, async ({ folder }) => {
    const { exit, stdout, stderr } = await run(['--folder', folder, ...args]).ended;
    expect(stderr).toContain(complaint);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect([exit, stdout]).toEqual([2, '']);
  });

test('--help lists the options and the exit codes', async () => {
  const { exit, stdout } = await run(['--help']).ended;
  for (const message of ['--port', '--empty', '--folder', 'Exit codes'])
    expect(stdout).toContain(message);
  expect(exit).toBe(0);
});
