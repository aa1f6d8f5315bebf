import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import config from '../../playwright.config.ts';
import { checkoutOf, root } from './checkout.ts';

const monitor = 'pacts/public-api-monitor-public-api.json';
const example = 'pacts/sandbox/widget-report-public-api.json';

/** Runs the command in a checkout, as npm does. */
function written(folder: string, ...args: readonly string[]) {
  return spawnSync(process.execPath, ['pacts/consumer.ts', ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

/** A checkout with only the files that the command needs. */
const copied = () =>
  checkoutOf(root, [
    ...['contract', 'schemas', 'settings', 'pacts', 'tests/pacts/consumer'],
    ...['monitor/schedule/elapsed.ts', 'monitor/target/token-client.ts'],
    ...['package.json', 'playwright.config.ts'],
  ]);

test('the command prints its usage, and accepts nothing else', () => {
  expect(written(root, '--help')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Rewrites the pacts of this project.*npm run pact:consumer\n/s),
  });
  for (const argument of ['--check', 'monitor'])
    expect(written(root, argument)).toMatchObject({
      status: 2,
      stdout: '',
      stderr: 'npm run pact:consumer takes no arguments but --help\n',
    });
});

test('the tests that write one pact run one after another: parallel tests lose interactions', () => {
  const { projects = [] } = config;
  expect(projects.find(({ name }) => name === 'consumer')).toMatchObject({
    workers: 1,
    fullyParallel: false,
  });
});

test('the command writes the committed bytes, whatever the file contained', async () => {
  await using copy = await copied();
  const place = (name: string): string => path.join(copy.folder, name);
  writeFileSync(place(monitor), readFileSync(place(monitor), 'utf8').replace('a call', 'no call'));
  rmSync(path.dirname(place(example)), { recursive: true });
  expect(written(copy.folder)).toMatchObject({
    status: 0,
    stderr: '',
    stdout: `${monitor}: 9 interactions, changed\n${example}: 2 interactions, new\n`,
  });
  for (const name of [monitor, example])
    expect(readFileSync(place(name), 'utf8')).toBe(readFileSync(path.join(root, name), 'utf8'));
});

for (const [whose, file, line, instead, message] of [
  [
    "the monitor's",
    'tests/pacts/consumer/token.spec.ts',
    'expect(client.requests()).toBe(1)',
    'expect(client.requests()).toBe(2)',
    'Expected: 2',
  ],
  [
    "the example's",
    'pacts/example/node-test/widgets.ts',
    '=== 401',
    '=== 403',
    'an expired token is reported',
  ],
] as const)
  test(`a failing test of ${whose} is shown and changes no pact`, async () => {
    await using copy = await copied();
    const place = path.join(copy.folder, file);
    expect(readFileSync(place, 'utf8')).toContain(line);
    writeFileSync(place, readFileSync(place, 'utf8').replace(line, instead));
    writeFileSync(path.join(copy.folder, monitor), 'as it was');
    rmSync(path.join(copy.folder, example));
    const { status, stdout, stderr } = written(copy.folder);
    expect([status, stdout]).toEqual([1, '']);
    expect(stripVTControlCharacters(stderr)).toContain(message);
    expect(stderr).toMatch(/A test of a consumer failed: the pacts stay as they are\n$/);
    expect(readFileSync(path.join(copy.folder, monitor), 'utf8')).toBe('as it was');
    expect(existsSync(path.join(copy.folder, example))).toBe(false);
  });
