import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import { expect, test } from '@playwright/test';
import { needs } from '../../programs.ts';
import { ask, pidIn, runs } from './broker.ts';

needs('pact-broker');

const main = fileURLToPath(new URL('../../../pacts/broker/main.ts', import.meta.url));

/** `npm run broker` as a process of its own. */
interface Run {
  readonly child: ChildProcess;
  /** Resolves with what it says at its start; with everything, when it ends before. */
  readonly said: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: test.info().outputPath(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  let output = '';
  const ended = once(child, 'close').then(([code]) => ({ code, output }));
  const said = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.endsWith('Ctrl-C ends it.\n')) resolve(output);
      });
    ended.then(() => resolve(output));
  });
  return { child, said, ended };
}

const own = (...names: readonly string[]): string => test.info().outputPath('own', ...names);
const anywhere = (): readonly string[] => ['--folder', own(), '--port', '0'];

/** What the file says that points Pact's commands at the broker. */
function pointed(): { baseUrl: URL; username: string; password: string } {
  const env = parseEnv(readFileSync(own('env'), 'utf8'));
  return {
    baseUrl: new URL(env.PACT_BROKER_BASE_URL ?? ''),
    username: env.PACT_BROKER_USERNAME ?? '',
    password: env.PACT_BROKER_PASSWORD ?? '',
  };
}

const pid = (): number => pidIn(readFileSync(own('broker.log'), 'utf8'));

test('it says where it is, and keeps the password in a file for its owner alone', async () => {
  const { child, said, ended } = run(anywhere());
  const text = await said;
  const at = pointed();
  expect(text).toContain(`Pact Broker  ${at.baseUrl.origin}\n`);
  expect(text).toContain(`set -a; . ${own('env')}; set +a\n`);
  expect(text).not.toContain(at.password);
  expect(statSync(own('env')).mode & 0o777).toBe(0o600);
  expect((await ask(at, '/', at)).status).toBe(200);
  child.kill('SIGINT');
  expect((await ended).code).toBe(0);
  expect(runs(pid())).toBe(false);
  expect(readFileSync(own('broker.log'), 'utf8')).toContain('Gracefully stopping');
});

test('no broker outlives a process that is killed', async () => {
  const { child, said } = run(anywhere());
  await said;
  expect(runs(pid())).toBe(true);
  child.kill('SIGKILL');
  await expect.poll(() => runs(pid())).toBe(false);
});

test('the password stays from run to run, and the database until an empty one is asked for', async () => {
  const passwords: string[] = [];
  const statuses: number[] = [];
  for (const more of [[], [], ['--empty']]) {
    const { child, said, ended } = run([...anywhere(), ...more]);
    await said;
    const at = pointed();
    passwords.push(at.password);
    statuses.push((await ask(at, '/pacticipants/kept', at)).status);
    await ask(at, '/pacticipants', at, { name: 'kept' });
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  }
  expect(statuses).toEqual([404, 200, 404]);
  expect(new Set(passwords).size).toBe(1);
});

test("the caller's own settings of Pact do not reach the broker", async () => {
  const { child, said } = run(anywhere(), {
    PACT_BROKER_BASIC_AUTH_ENABLED: 'false',
    PACT_BROKER_ALLOW_PUBLIC_READ: 'true',
    PACT_BROKER_DATABASE_URL: 'sqlite:////nowhere/at-all.sqlite3',
    PACT_BROKER_BASE_URL: 'https://broker.example.com',
  });
  await said;
  const at = pointed();
  expect((await ask(at, '/')).status).toBe(401);
  expect(await (await ask(at, '/', at)).text()).not.toContain('broker.example.com');
  child.kill('SIGINT');
});

test('a broker that ends by itself ends the run with code 2', async () => {
  const { said, ended } = run(anywhere());
  await said;
  process.kill(pid(), 'SIGKILL');
  const { code, output } = await ended;
  expect(output).toContain('the Pact Broker has ended by itself: its log says why\n');
  expect(code).toBe(2);
});

test('a port in use is one line, code 2, and no matter to whoever has it', async () => {
  const { child, said } = run(anywhere());
  await said;
  const at = pointed();
  const { port } = at.baseUrl;
  const { code, output } = await run(['--folder', own('another'), '--port', port]).ended;
  expect(output).toBe(`port ${port} of 127.0.0.1 is in use: choose another one with --port\n`);
  expect(code).toBe(2);
  expect((await ask(at, '/', at)).status).toBe(200);
  child.kill('SIGINT');
});

test('a broken database is one line, and code 2', async () => {
  const file = own('pact_broker.sqlite3');
  mkdirSync(own());
  writeFileSync(file, 'no database');
  const { code, output } = await run(anywhere()).ended;
  expect(output).toBe(`${file} is no sound SQLite database: begin an empty one with --empty\n`);
  expect(code).toBe(2);
});

test('a broker that does not come up shows the end of its log, and code 2', async () => {
  const folder = test.info().outputPath('bin');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'bundle'), '#!/bin/sh\necho "no such gem"\nexit 7\n', {
    mode: 0o755,
  });
  const { code, output } = await run(anywhere(), { PATH: `${folder}:${process.env.PATH}` }).ended;
  expect(output).toBe(
    'the Pact Broker ended before it answered; the end of its log:\nno such gem\n',
  );
  expect(code).toBe(2);
});

test('a machine without Ruby is told what installs it', async () => {
  const { code, output } = await run(anywhere(), { PATH: own() }).ended;
  expect(output).toMatch(
    /^the Pact Broker needs Ruby and a C compiler: npm run setup installs them \(.*\bruby-dev\b.*\)\n$/,
  );
  expect(code).toBe(2);
});

for (const [args, complaint] of [
  [['--port', '70000'], '--port 70000 is no port'],
  [['--port', 'http'], '--port http is no port'],
  [['--emtpy'], "Unknown option '--emtpy'"],
] as const)
  test(`${args.join(' ')} is refused, and nothing is started`, async () => {
    const { code, output } = await run(['--folder', own(), ...args]).ended;
    expect(output).toContain(complaint);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });

test('--help tells of the options and the exit codes', async () => {
  const { code, output } = await run(['--help']).ended;
  for (const told of ['--port', '--empty', '--folder', 'Exits 0']) expect(output).toContain(told);
  expect(code).toBe(0);
});
