import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { expositionOf } from '../../monitor/probe/exposition.ts';
import { push } from '../../monitor/probe/pushgateway.ts';
import { roundOn } from '../../monitor/probe/round.ts';
import { replaceFile } from '../../monitor/probe/text-file.ts';
import { probes } from '../../probes/index.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { startDaemon } from '../operations/daemon.ts';
import { needs, programPath } from '../programs.ts';
import { probed } from './probe-process.ts';
import { watching } from './process.ts';
import { closedPort, lettingEverybodyIn, startProvider } from './provider.ts';
import { targetsFile } from './targets-file.ts';

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
  const selected = new Set(['a-made-up-token-is-refused', 'right-credentials-get-a-token']);
  return await Promise.all([
    roundOn({ ...good.target, name: 'good' }, { probes, selected }),
    roundOn({ ...bad.target, name: 'bad' }, { probes, selected }),
  ]);
}

const familiesOf = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => `${type} ${name}`);

test('a round leaves gauges of its result, without process metrics and counters', async () => {
  const { all, of } = await expositionOf(await twoRounds());
  expect(familiesOf(all)).toEqual([
    'gauge monitor_run_duration_seconds',
    'gauge monitor_last_run_timestamp_seconds',
    'gauge monitor_consecutive_failures',
    'gauge contract_clause_verdict',
    'gauge contract_provider_clock_offset_seconds',
  ]);
  const failures = (target: string): string =>
    `monitor_consecutive_failures{target="${target}",probe="a-made-up-token-is-refused"}`;
  expect(all).toContain(`${failures('good')} 0\n`);
  expect(all).toContain(`${failures('bad')} 2\n`);
  expect(all).toContain(
    'contract_clause_verdict{target="bad",clause="BEARER-3",verdict="violated"} 1\n',
  );
  expect(of('bad')).not.toContain('target="good"');
  expect(familiesOf(of('bad'))).toEqual(familiesOf(all));
  expect(of('unknown')).toBe('');
});

test('a file is replaced atomically, is world-readable, and leaves no temporary file', async () => {
  const own = folder();
  const file = path.join(own, 'api.prom');
  writeFileSync(file, 'old', { mode: 0o600 });
  const mask = process.umask(0o077);
  await replaceFile(file, 'new\n').finally(() => process.umask(mask));
  expect(readFileSync(file, 'utf8')).toBe('new\n');
  expect(statSync(file).mode & 0o777).toBe(0o644);
  symlinkSync('api.prom', path.join(own, 'link.prom'));
  await replaceFile(path.join(own, 'link.prom'), 'newer\n');
  expect(readFileSync(file, 'utf8')).toBe('newer\n');
  expect(readdirSync(own)).toEqual(['api.prom', 'link.prom']);
});

test('a file that a symbolic link points to is written for the first time too', async () => {
  const own = folder();
  mkdirSync(path.join(own, 'textfiles'));
  const link = path.join(own, 'link.prom');
  symlinkSync(path.join('textfiles', 'api.prom'), link);
  for (const text of ['new\n', 'newer\n']) {
    await replaceFile(link, text);
    expect(readFileSync(path.join(own, 'textfiles', 'api.prom'), 'utf8')).toBe(text);
  }
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
});

test('a file that is not regular stays, and a missing folder is reported', async () => {
  await expect(replaceFile('/dev/null', 'x')).rejects.toThrow(
    '--metrics /dev/null is not a regular file: name one, or - for stdout',
  );
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  const away = path.join(folder(), 'away', 'api.prom');
  await expect(replaceFile(away, 'x')).rejects.toThrow(
    `--metrics ${away} could not be written (its folder does not exist)`,
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

test('undeliverable metrics are a line, and exit code 2 unless the contract is violated', async () => {
  const away = closedPort;
  await using provider = await startProvider();
  provider.become(lettingEverybodyIn);
  const args = ['BEARER-3', '--push', away.href, '--metrics', 'away/api.prom'];
  const good = await probed(folder(), args);
  const bad = await probed(folder(), args, watching(provider.baseUrl));
  expect(good.exit).toBe(2);
  expect(good.stderr).toBe(
    [
      '--metrics away/api.prom could not be written (its folder does not exist)',
      `--push: PUT ${away.origin}/metrics/job/public_api_probe/target/sandbox: no connection (ECONNREFUSED)`,
      '',
    ].join('\n'),
  );
  expect(good.stdout).toContain('✓ No clause violated');
  expect(bad.exit).toBe(1);
});

test('a gateway that refuses is reported with its answer', async () => {
  const { baseUrl, close } = await startSandbox();
  await expect(push(baseUrl, { target: 'a', text: '' }, { timeoutMs: 1000 })).rejects.toThrow(
    `--push: PUT ${baseUrl.origin}/metrics/job/public_api_probe/target/a is answered by 404: {"success"`,
  );
  await close();
});

test('the metrics of the other targets are pushed although one is refused', async () => {
  await using provider = await startProvider();
  const file = targetsFile(provider.baseUrl);
  file.name('one', 'two');
  const pushedTo = async (gateway: URL): Promise<string[]> => {
    const args = ['right-credentials-get-a-token', '--push', gateway.href];
    const { stderr } = await probed(folder(), args, file.env);
    return [...stderr.matchAll(/^--push: PUT \S+\/target\/(\w+)/gm)].map(([, name = '']) => name);
  };
  expect(await pushedTo(provider.baseUrl)).toEqual(['one', 'two']);
  expect(await pushedTo(closedPort), 'a gateway that does not answer').toEqual(['one']);
});

test.describe('linted by promtool', () => {
  needs('promtool');

  test('promtool accepts the metrics of several targets', async () => {
    const { all } = await expositionOf(await twoRounds());
    const { status, stdout, stderr } = spawnSync(programPath('promtool'), ['check', 'metrics'], {
      input: all,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

test.describe('pushed to a real Pushgateway', () => {
  needs('pushgateway');

  /** A real one, which stores nothing on disk. */
  const startPushgateway = () =>
    startDaemon({
      program: 'pushgateway',
      files: {},
      args: (at) => [`--web.listen-address=${at}`],
      readyWith: 'Listening on',
    });

  /** The text that Prometheus would scrape. */
  const metricsOf = async (gateway: URL): Promise<string> =>
    (await fetch(new URL('/metrics', gateway))).text();

  test('each target is a separate group, which the next round replaces', async () => {
    await using gateway = await startPushgateway();
    const { address: url } = gateway;
    const bounds = { timeoutMs: 5000 };
    const { of } = await expositionOf(await twoRounds());
    await push(url, { target: 'good', text: of('good') }, bounds);
    await push(url, { target: 'bad', text: of('bad') }, bounds);
    const group = (name: string): string =>
      `instance="",job="public_api_probe",probe="a-made-up-token-is-refused",target="${name}"`;
    const before = await metricsOf(url);
    expect(before).toContain(`monitor_consecutive_failures{${group('good')}} 0\n`);
    expect(before).toContain(`monitor_consecutive_failures{${group('bad')}} 2\n`);
    await push(url, { target: 'bad', text: 'another{probe="x"} 1\n' }, bounds);
    const after = await metricsOf(url);
    expect(after).toContain(`monitor_consecutive_failures{${group('good')}} 0\n`);
    expect(after).not.toContain(`monitor_consecutive_failures{${group('bad')}}`);
    await expect(push(url, { target: 'bad', text: 'no metrics' }, bounds)).rejects.toThrow(
      /is answered by 400: text format parsing error/,
    );
  });

  test('an address may contain its own grouping key', async () => {
    await using gateway = await startPushgateway();
    const at = new URL('/metrics/job/api/instance/berlin/', gateway.address);
    const { exit, stderr } = await probed(folder(), ['BEARER-3', '--push', at.href]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(await metricsOf(gateway.address)).toContain(
      'monitor_consecutive_failures{instance="berlin",job="api",probe="a-made-up-token-is-refused",target="sandbox"} 0',
    );
  });
});
