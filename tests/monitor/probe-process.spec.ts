import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { mustHold } from '../../contract/clauses.ts';
import { faulty } from '../faults/index.ts';
import { expect, test } from '../test.ts';
import { probed, startProbe } from './probe-process.ts';
import { watching } from './process.ts';
import {
  account,
  closedPort,
  lettingEverybodyIn,
  startProvider,
  startSilence,
  tokenMark,
} from './provider.ts';
import { watchingTargets } from './targets-file.ts';

/** A folder without `.env`. */
const folder = (): string => test.info().outputPath();

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

test('a round without settings probes the sandbox, and lists what it cannot verify', async () => {
  const { exit, stdout, stderr } = await probed(folder());
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const signs = [...stdout.matchAll(/^ {2}(\S) ([A-Z]+-\d+) /gm)].map(([, sign, id]) => [id, sign]);
  expect(signs.map(([id]) => id)).toEqual(mustHold.map(({ id }) => id));
  expect(signs.filter(([, sign]) => sign === '–')).toHaveLength(10);
  expect(stdout).toContain('takes wrong credentials, which may lock an account: npm run gate\n');
  expect(lastLine(stdout)).toMatch(
    /^✓ No clause violated · \d+ held, 10 unverified · \d+ requests, \d+\.\d+ s · sandbox$/,
  );
});

test('a violated clause is reported as by the gate, with exit code 1, and without secrets', async () => {
  await using provider = await startProvider();
  const { presented } = faulty('token-in-query-access-token');
  provider.become({ presented });
  const env = watching(provider.baseUrl);
  const { exit, stdout, stderr } = await probed(folder(), ['BEARER-2'], env);
  const json = await probed(folder(), ['--json', 'BEARER-2'], env);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
  expect(json).toMatchObject({ exit: 1, stderr: '' });
  expect(stdout).toMatch(/^BEARER-2 {2}Without the token in the Authorization header/m);
  for (const label of ['asked', 'expected', 'received', 'trace', 'again'])
    expect(stdout).toMatch(new RegExp(`^  ${label} +\\S`, 'm'));
  expect(stdout).toMatch(
    / {2}again {5}PUBLIC_API_BASE_URL=\S+ PUBLIC_API_ENDPOINTS=.+ npm run probe -- BEARER-2\n/,
  );
  expect(lastLine(stdout)).toMatch(/^✗ Contract violated · \d held, 1 violated.* · http:/);
  expect(JSON.parse(json.stdout)).toMatchObject({
    exit: 1,
    targets: [{ name: provider.baseUrl.host, target: provider.baseUrl.href, exit: 1 }],
  });
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    expect(stdout + json.stdout).not.toContain(secret);
});

test('the targets of a file are probed side by side, or those that are named', async () => {
  await using good = await startProvider();
  await using bad = await startProvider();
  bad.become(lettingEverybodyIn);
  const targets = [
    { name: 'good', url: good.baseUrl.href },
    { name: 'bad', url: bad.baseUrl.href },
  ];
  const { MONITOR_STATE: _, ...env } = watchingTargets(targets, {});
  const both = await probed(folder(), ['BEARER-3'], env);
  expect(both).toExitWith(1);
  expect(both.stdout).toMatch(/again {5}\S+ npm run probe -- --target bad BEARER-3/);
  expect(lastLine(both.stdout)).toBe('2 targets · 1 without a violation, 1 violated');
  expect(await probed(folder(), ['BEARER-3', '--target', 'good'], env)).toExitWith(0);
  expect(await probed(folder(), ['--target', 'goof'], env)).toEqual({
    exit: 2,
    stdout: '',
    stderr:
      '"goof" is not a target: did you mean good?: npm run probe -- --help lists the options\n',
  });
});

test('--metrics writes the gauges of a round to a file beside the report, or to stdout instead of it', async () => {
  const own = folder();
  const file = await probed(own, ['BEARER-3', '--metrics', 'api.prom']);
  expect(file).toMatchObject({ exit: 0, stderr: '' });
  expect(file.stdout).toContain('✓ Contract holds as far as selected');
  expect(readdirSync(own)).toEqual(['api.prom']);
  const text = readFileSync(path.join(own, 'api.prom'), 'utf8');
  expect(text).toContain('contract_clause_verified{target="sandbox",clause="BEARER-3"} 1\n');
  const env = watching(closedPort);
  const { exit, stdout } = await probed(own, ['--metrics', '-'], env);
  expect(exit).toBe(2);
  expect(stdout).toMatch(/^probe_success\{target="127.0.0.1:1",endpoint=".*"\} 0$/m);
  expect(stdout).not.toMatch(/could not be judged|counter/);
});

test('metrics that cannot be written are a line, and exit code 2 unless the contract is violated', async () => {
  await using provider = await startProvider();
  provider.become(lettingEverybodyIn);
  const env = watching(provider.baseUrl);
  for (const [settings, file, exit, why] of [
    [env, 'away/api.prom', 1, 'ENOENT: no such file or directory'],
    [{}, '/dev/null', 2, 'it is not a regular file'],
  ] as const) {
    const run = await probed(folder(), ['BEARER-3', '--json', '--metrics', file], settings);
    expect(run).toMatchObject({ exit, stderr: `--metrics ${file} cannot be written: ${why}\n` });
    expect(JSON.parse(run.stdout).exit).toBe(exit);
  }
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends a round at once, with 130`, async () => {
    await using silent = await startSilence();
    const { child, ended } = startProbe(folder(), [], watching(silent.origin));
    await silent.asked;
    child.kill(signal);
    expect(await ended).toEqual({ exit: 130, stdout: '', stderr: 'interrupted\n' });
  });

const wrong: readonly [args: string[], line: RegExp][] = [
  [['--json', '--metrics', '-'], /^--json and --metrics - both take stdout: /],
  [['--metrics', ''], /^--metrics names no file: /],
  [['cookie'], /^"cookie" is not an area /],
  [['EXPIRY-2'], /^EXPIRY-2 takes simulated time .*: npm run gate -- EXPIRY-2$/],
];

test('a wrong option or name is one line, with exit code 2', async () => {
  for (const [args, line] of wrong) {
    const { exit, stdout, stderr } = await probed(folder(), args);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*\n$/);
    expect(stderr.trim()).toMatch(line);
  }
  const settings = await probed(folder(), [], { PUBLIC_API_BASE_URL: 'nonsense' });
  expect(settings).toMatchObject({ exit: 2, stdout: '' });
  expect(settings.stderr).toContain('PUBLIC_API_BASE_URL');
});
