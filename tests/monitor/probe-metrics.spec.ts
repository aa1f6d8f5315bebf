import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expositionOf } from '../../monitor/probe/exposition.ts';
import { roundOn } from '../../monitor/probe/round.ts';
import { probes } from '../../probes/index.ts';
import { needs } from '../programs.ts';
import { expectLinted } from './metrics-text.ts';
import { probed } from './probe-process.ts';
import { watching } from './process.ts';
import { closedPort, lettingEverybodyIn, startProvider } from './provider.ts';

/** An empty folder without `.env`. */
function folder(): string {
  const own = test.info().outputPath('folder');
  mkdirSync(own, { recursive: true });
  return own;
}

/** Rounds of a few probes on a provider that keeps the contract, and on one that violates it. */
async function twoRounds() {
  await using good = await startProvider();
  await using bad = await startProvider();
  bad.become(lettingEverybodyIn);
  const selected = new Set(['another-token-is-refused', 'right-credentials-get-a-token']);
  return await Promise.all([
    roundOn({ ...good.target, name: 'good' }, { probes, selected }),
    roundOn({ ...bad.target, name: 'bad' }, { probes, selected }),
  ]);
}

const familiesOf = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${type} ${name}`);

test('a round leaves gauges of its result, without process metrics and counters', async () => {
  const all = await expositionOf(await twoRounds());
  expect(familiesOf(all)).toEqual([
    'gauge monitor_run_duration_seconds',
    'gauge monitor_last_run_timestamp_seconds',
    'gauge monitor_consecutive_failures',
    'gauge contract_clause_verdict',
    'gauge contract_provider_clock_offset_seconds',
  ]);
  const failures = (target: string): string =>
    `monitor_consecutive_failures{target="${target}",probe="another-token-is-refused"}`;
  expect(all).toContain(`${failures('good')} 0\n`);
  expect(all).toContain(`${failures('bad')} 1\n`);
  expect(all).toContain(
    'contract_clause_verdict{target="bad",clause="BEARER-3",verdict="violated"} 1\n',
  );
});

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
  expect(stdout).toContain(
    `probe_success{target="${away.host}",probe="a-token-opens-the-endpoint"} 0\n`,
  );
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

test.describe('linted by promtool', () => {
  needs('promtool');

  test('promtool accepts the metrics of several targets', async () => {
    expectLinted(await expositionOf(await twoRounds()));
  });
});
