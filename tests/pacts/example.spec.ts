import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { closingLine, expect, namingWithoutClock, test } from '../gate/process.ts';
import { nightly } from '../nightly.ts';
import { npmEnvironment } from '../npm-environment.ts';
import { fromRoot, startNode } from '../process.ts';
import { start } from './verify-process.ts';

const examples = fromRoot('pacts/example');
const provider = path.join(examples, 'provider');

/** Copies an example, without the folders that an installation or a test run writes. */
function copyOf(name: string): string {
  const to = mkdtempSync(path.join(os.tmpdir(), 'example-'));
  const filter = (file: string): boolean => !/^(pacts|node_modules)$/.test(path.basename(file));
  cpSync(path.join(examples, name), to, { recursive: true, filter });
  return to;
}

/** Runs npm with this process's Node first in PATH, as on a machine with a single Node. */
function npm(cwd: string, ...args: readonly string[]) {
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(':');
  const env = { PATH, CI: 'true', npm_config_ignore_scripts: 'true', ...npmEnvironment };
  const options = { cwd, encoding: 'utf8', timeout: 150_000, env } as const;
  return spawnSync('npm', ['--loglevel=error', ...args], options);
}

const read = (folder: string, name: string): string =>
  readFileSync(path.join(folder, name), 'utf8');

test('the example of a consumer writes the committed pact, and finds a mistake', () => {
  const folder = copyOf('consumer');
  symlinkSync(fromRoot('node_modules'), path.join(folder, 'node_modules'));
  expect(npm(folder, 'test')).toMatchObject({ status: 0, stderr: '' });
  const committed = readFileSync(fromRoot('pacts/sandbox/widget-report-public-api.json'), 'utf8');
  expect(read(folder, 'pacts/widget-report-public-api.json')).toBe(committed);
  const program = read(folder, 'widgets.ts').replace('status === 401', 'status === 403');
  writeFileSync(path.join(folder, 'widgets.ts'), program);
  expect(npm(folder, 'test').status).toBe(1);
  rmSync(folder, { recursive: true });
});

test.describe('from scratch', () => {
  nightly();

  for (const name of ['provider', 'consumer'])
    test(`the example of a ${name} is installed`, () => {
      const folder = copyOf(name);
      expect(npm(folder, 'ci')).toMatchObject({ status: 0, stderr: '' });
      if (name === 'consumer') expect(npm(folder, 'test')).toMatchObject({ status: 0, stderr: '' });
      rmSync(folder, { recursive: true });
    });
});

test('the example of a provider keeps the contract and a pact', async ({ folder, gate }) => {
  const account = { apiKey: 'Lantern-q7Wd3Xv', secretKey: 'Gravel r5jT9%' };
  const port = `${await freePort()}`;
  const env = { PORT: port, API_KEY: account.apiKey, SECRET_KEY: account.secretKey };
  await using server = startNode(provider, ['server.ts'], env);
  await server.line(/^listening on port (\d+)$/m);
  const base = new URL(`http://127.0.0.1:${port}`);
  const clock = new URL('/test/clock', base).href;
  const settings = { ...namingWithoutClock(base, account), PUBLIC_API_CLOCK_URL: clock };
  expect(closingLine(await gate([], settings))).toContain('✓ Contract holds');
  const pact = fromRoot('pacts/sandbox/widget-report-public-api.json');
  const verified = await start(folder, ['--strict', pact], settings).ended;
  expect(closingLine(verified)).toContain('✓ Every pact is kept · 2 verified · ');
});
