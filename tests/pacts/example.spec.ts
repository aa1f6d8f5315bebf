import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { npmEnvironment } from '../npm-environment.ts';
import { root } from './checkout.ts';

const examples = path.join(root, 'pacts/example');
const pact = 'pacts/widget-report-public-api.json';
const committed = readFileSync(path.join(root, 'pacts/sandbox', path.basename(pact)), 'utf8');
const test1 = 'widgets.pact.test.ts';

/** Copies an example, without the folders that an installation or a test run writes. */
function copyOf(name: string, to: string): string {
  const filter = (file: string): boolean => !/^(pacts|node_modules)$/.test(path.basename(file));
  cpSync(path.join(examples, name), to, { recursive: true, filter });
  return to;
}

/** Runs npm with this process's Node first in PATH, as on a machine with a single Node. */
const npm = (folder: string, ...args: readonly string[]) =>
  spawnSync('npm', ['--loglevel=error', ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 150_000,
    env: {
      PATH: [path.dirname(process.execPath), process.env.PATH].join(':'),
      CI: 'true',
      npm_config_ignore_scripts: 'true',
      ...npmEnvironment,
    },
  });

const read = (folder: string, name: string): string =>
  readFileSync(path.join(folder, name), 'utf8');

/** Changes a file of a copy. */
function change(folder: string, name: string, from: string | RegExp, to: string): void {
  const text = read(folder, name);
  const changed = text.replaceAll(from instanceof RegExp ? new RegExp(from, 'g') : from, to);
  expect(changed).not.toBe(text);
  writeFileSync(path.join(folder, name), changed);
}

test.describe('the example of a consumer', () => {
  // All tests use one installation.
  let installed = '';
  test.beforeAll(() => {
    installed = copyOf('consumer', mkdtempSync(path.join(os.tmpdir(), 'example-')));
    const { status, stderr } = npm(installed, 'ci');
    expect([status, stderr]).toEqual([0, '']);
  });
  test.afterAll(() => rmSync(installed, { recursive: true }));

  /** A copy of the example, linked to the installed packages. */
  function copied(): string {
    const folder = copyOf('consumer', test.info().outputPath('consumer'));
    symlinkSync(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'));
    return folder;
  }

  test('the example installs from scratch, passes, and writes the committed pact', () => {
    const { status, stderr } = npm(installed, 'test');
    expect([status, stderr]).toEqual([0, '']);
    expect(read(installed, pact)).toBe(committed);
  });

  test('two test files write one pact, and interactions of an earlier run are removed from every pact', () => {
    const folder = copied();
    mkdirSync(path.join(folder, 'pacts'));
    writeFileSync(path.join(folder, pact), committed);
    change(folder, pact, 'a request for the widgets"', 'a request that is gone"');
    writeFileSync(path.join(folder, 'pacts/another-public-api.json'), committed);
    cpSync(path.join(folder, test1), path.join(folder, 'more.pact.test.ts'));
    change(folder, 'more.pact.test.ts', /uponReceiving\('a /, "uponReceiving('one more ");
    expect(npm(folder, 'test').status).toBe(0);
    expect(readdirSync(path.join(folder, 'pacts'))).toEqual([path.basename(pact)]);
    const { interactions }: { interactions: { description: string }[] } = JSON.parse(
      read(folder, pact),
    );
    expect(interactions.map(({ description }) => description).sort()).toEqual([
      'a request for the widgets',
      'a request for the widgets with an expired token',
      'one more request for the widgets',
      'one more request for the widgets with an expired token',
    ]);
  });

  test('a run without a test file, or with one without a test, fails', () => {
    const folder = copied();
    writeFileSync(path.join(folder, test1), 'export {};\n');
    expect(npm(folder, 'test').status).toBe(1);
    rmSync(path.join(folder, test1));
    expect(npm(folder, 'test').status).toBe(1);
  });

  for (const [what, line, instead] of [
    ['calls another path', '/public-api/v1/widgets', '/public-api/v1/gadgets'],
    ['does not tell a 401', 'answer.status === 401', 'answer.status === 403'],
  ] as const)
    test(`the test fails where the program ${what}`, () => {
      const folder = copied();
      change(folder, 'widgets.ts', line, instead);
      expect(npm(folder, 'test').status).toBe(1);
    });
});

test('the example of a provider installs from scratch', () => {
  const { status, stderr } = npm(copyOf('provider', test.info().outputPath('provider')), 'ci');
  expect([status, stderr]).toEqual([0, '']);
});

const manifest = (folder: string) => JSON.parse(read(folder, 'package.json'));

test('pact tests run one after another: in parallel they lose interactions now and then', () => {
  expect(manifest(path.join(examples, 'consumer')).scripts.test).toContain('--test-concurrency=1');
});

test('the examples use the versions of Pact that this project is tested with', () => {
  const { dependencies, devDependencies } = manifest(root);
  const tested = { ...dependencies, ...devDependencies };
  for (const [name, packages] of [
    ['consumer', ['@pact-foundation/pact', '@pact-foundation/pact-cli']],
    ['provider', ['@pact-foundation/pact-cli']],
  ] as const) {
    const used = manifest(path.join(examples, name)).devDependencies;
    expect(used).toEqual(Object.fromEntries(packages.map((one) => [one, tested[one]])));
  }
});
