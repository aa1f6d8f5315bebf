import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import config from '../playwright.config.ts';
import { checkoutOf, root } from './checkout.ts';

const monitor = 'pacts/public-api-monitor-public-api.json';
const example = 'pacts/sandbox/widget-report-public-api.json';

/** Runs the command in a checkout, as npm does. */
function written(folder: string) {
  return spawnSync(process.execPath, ['pacts/consumer.ts'], { cwd: folder, encoding: 'utf8' });
}

test('the tests that write one pact run one after another: parallel tests lose interactions', () => {
  const { projects = [] } = config;
  expect(projects.find(({ name }) => name === 'consumer')).toMatchObject({
    workers: 1,
    fullyParallel: false,
  });
});

test('a failing test is shown, and changes no pact, not even that of the other consumer', async () => {
  await using copy = await checkoutOf(root, [
    ...['contract', 'schemas', 'config', 'pacts', 'tests/pacts/consumer'],
    ...['package.json', 'playwright.config.ts', 'tests/playwright.config.ts'],
  ]);
  const place = path.join(copy.folder, 'pacts/example/consumer/widgets.ts');
  const text = readFileSync(place, 'utf8');
  expect(text).toContain('=== 401');
  writeFileSync(place, text.replace('=== 401', '=== 403'));
  writeFileSync(path.join(copy.folder, monitor), 'as it was');
  rmSync(path.join(copy.folder, example));
  const { status, stdout, stderr } = written(copy.folder);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stripVTControlCharacters(stderr)).toContain('an expired token is reported');
  expect(stderr).toMatch(/A test of a consumer failed: the pacts stay as they are\n$/);
  expect(readFileSync(path.join(copy.folder, monitor), 'utf8')).toBe('as it was');
  expect(existsSync(path.join(copy.folder, example))).toBe(false);
});
