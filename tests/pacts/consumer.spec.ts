import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import { scratch } from '../../contract/round/scratch.ts';
import { ours } from '../process.ts';

const monitor = 'pacts/public-api-monitor-public-api.json';
const example = 'pacts/sandbox/widget-report-public-api.json';

test('a failing test is shown, and changes no pact, not even that of the other consumer', () => {
  const { folder: cwd, remove } = scratch('checkout');
  const read = (name: string) => readFileSync(path.join(cwd, name), 'utf8');
  for (const name of [
    ...['contract', 'schemas', 'config', 'pacts', 'tests/pacts/consumer'],
    ...['package.json', 'playwright.config.ts', 'tests/playwright.config.ts'],
  ])
    cpSync(ours(name), path.join(cwd, name), { recursive: true });
  symlinkSync(ours('node_modules'), path.join(cwd, 'node_modules'), 'junction');
  const program = read('pacts/example/consumer/widgets.ts');
  expect(program).toContain('=== 401');
  writeFileSync(
    path.join(cwd, 'pacts/example/consumer/widgets.ts'),
    program.replace('=== 401', '=== 403'),
  );
  writeFileSync(path.join(cwd, monitor), 'as it was');
  rmSync(path.join(cwd, example));
  const written = spawnSync(process.execPath, ['pacts/consumer.ts'], { cwd, encoding: 'utf8' });
  expect(written).toMatchObject({ status: 1, stdout: '' });
  expect(stripVTControlCharacters(written.stderr)).toContain('an expired token is reported');
  expect(written.stderr).toMatch(/A test of a consumer failed: the pacts stay as they are\n$/);
  expect(read(monitor)).toBe('as it was');
  expect(existsSync(path.join(cwd, example))).toBe(false);
  remove();
});
