import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { probed } from './probe-process.ts';
import { watching } from './process.ts';
import { closedPort, lettingEverybodyIn, startProvider } from './provider.ts';

/** An empty folder without `.env`. */
function folder(): string {
  const own = test.info().outputPath('folder');
  mkdirSync(own, { recursive: true });
  return own;
}

const familiesOf = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${type} ${name}`);

test('--metrics writes a file beside the table, or stdout instead of it', async () => {
  const own = folder();
  const file = await probed(own, ['BEARER-3', '--metrics', 'api.prom']);
  expect(file).toMatchObject({ exit: 0, stderr: '' });
  expect(file.stdout).toContain('✓ No clause violated');
  expect(readdirSync(own)).toEqual(['api.prom']);
  const stdout = await probed(own, ['BEARER-3', '--metrics', '-']);
  expect(familiesOf(stdout.stdout)).toEqual(
    familiesOf(readFileSync(path.join(own, 'api.prom'), 'utf8')),
  );
  expect(stdout.stdout).not.toContain('✓');
});

test('metrics of an unreachable provider say so', async () => {
  const away = closedPort;
  const { exit, stdout } = await probed(folder(), ['--metrics', '-'], watching(away));
  expect(exit).toBe(2);
  expect(stdout).toContain(`contract_monitor_target_unreachable{target="${away.host}"} 1\n`);
});

test('metrics that cannot be written are a line, and exit code 2 unless the contract is violated', async () => {
  await using provider = await startProvider();
  provider.become(lettingEverybodyIn);
  const args = ['BEARER-3', '--metrics', 'away/api.prom'];
  const good = await probed(folder(), args);
  const bad = await probed(folder(), args, watching(provider.baseUrl));
  expect(good).toMatchObject({ exit: 2, stdout: expect.stringContaining('✓ No clause violated') });
  expect(good.stderr).toMatch(/^--metrics away\/api\.prom could not be written \(ENOENT.*\)\n$/);
  expect(bad.exit).toBe(1);
});

test('a file that is not regular stays as it is', async () => {
  const { exit, stderr } = await probed(folder(), ['BEARER-3', '--metrics', '/dev/null']);
  expect(exit).toBe(2);
  expect(stderr).toBe('--metrics /dev/null could not be written (it is not a regular file)\n');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
