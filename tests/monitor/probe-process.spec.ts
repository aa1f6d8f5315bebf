import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { mustHold } from '../../contract/clauses.ts';
import { faulty } from '../faults/index.ts';
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

const schema = JSON.parse(
  readFileSync(new URL('../../schemas/probe-report.json', import.meta.url), 'utf8'),
);
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(schema);

/** A folder without `.env`. */
function folder(): string {
  const own = test.info().outputPath('folder');
  mkdirSync(own, { recursive: true });
  return own;
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

/** The verdict sign and probe name of each row of a table. */
const rows = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(\S) +[\d.]+ m?s {2}(\S+)/gm)].map(
    ([, sign, name]) => `${sign} ${name}`,
  );

test('a round without settings probes the sandbox, and lists what it cannot verify', async () => {
  const { exit, stdout, stderr } = await probed(folder());
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(rows(stdout)).toContain('✓ another-token-is-refused');
  expect(rows(stdout).filter((row) => !row.startsWith('✓'))).toEqual([]);
  expect(stdout).toContain('\nGET /public-api/v1/widgets\n');
  expect(stdout).toContain('  – TOKEN-2, TOKEN-3, BEARER-6: takes wrong credentials');
  expect(lastLine(stdout)).toMatch(
    new RegExp(
      `^✓ No clause violated · ${mustHold.length - 10} held, 10 unverified · \\d+ requests, \\d+\\.\\d+ s$`,
    ),
  );
});

test('a violated clause is printed as by the gate, with exit code 1, and without secrets', async () => {
  await using provider = await startProvider();
  const { presented } = faulty('token-in-query-access-token');
  provider.become({ presented });
  const env = watching(provider.baseUrl);
  const { exit, stdout, stderr } = await probed(folder(), ['BEARER-2'], env);
  const json = await probed(folder(), ['--json', 'BEARER-2'], env);
  expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
  expect(stdout).toContain('a-token-in-query-cookie-header-or-body-is-refused  BEARER-2\n');
  expect(stdout).toMatch(/^BEARER-2 {2}Without the token in the Authorization header/m);
  for (const label of ['asked', 'expected', 'received', 'body', 'trace', 'again'])
    expect(stdout).toMatch(new RegExp(`^  ${label} +\\S`, 'm'));
  // A token in a query is no plain request.
  expect(stdout).not.toMatch(/^ {2}curl /m);
  expect(stdout).toMatch(
    / {2}again {5}PUBLIC_API_BASE_URL=\S+ PUBLIC_API_ENDPOINTS=.+ npm run probe -- BEARER-2\n/,
  );
  expect(lastLine(stdout)).toMatch(/^✗ Contract violated · \d held, 1 violated · \d+ requests, /);
  expect(json.exit).toBe(1);
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    expect(stdout + json.stdout + json.stderr).not.toContain(secret);
});

test('--json prints one document that conforms to its schema, whatever the result', async () => {
  await using violating = await startProvider();
  violating.become({ guard: () => undefined });
  const away = closedPort;
  for (const [env, exit] of [
    [{}, 0],
    [watching(violating.baseUrl), 1],
    [watching(away), 2],
  ] as const) {
    const run = await probed(folder(), ['--json'], env);
    expect(run).toMatchObject({ exit, stderr: '' });
    const document = JSON.parse(run.stdout);
    conforms(document);
    expect(conforms.errors).toBe(null);
    expect(document.exit).toBe(exit);
    const [{ clauses, runs, endpoints }] = document.targets;
    expect(clauses.map(({ id }: { id: string }) => id)).toEqual(mustHold.map(({ id }) => id));
    expect(runs.length).toBeGreaterThan(10);
    expect(endpoints).toEqual(['GET /public-api/v1/widgets', 'POST /public-api/v1/reports']);
  }
});

test('several targets are probed side by side, and each is reported', async () => {
  await using good = await startProvider();
  await using bad = await startProvider();
  bad.become({ guard: () => undefined });
  const own = folder();
  const credentials = 'credentials: { apiKeyEnv: KEY, secretKeyEnv: SECRET }';
  writeFileSync(
    path.join(own, 'targets.yaml'),
    `defaults:\n  endpoints: [GET /public-api/v1/widgets]\ntargets:\n${[
      `name: good\n    url: ${good.baseUrl.href}`,
      `name: bad\n    url: ${bad.baseUrl.href}`,
    ]
      .map((lines) => `  - ${lines}\n    ${credentials}\n`)
      .join('')}`,
  );
  const env = { MONITOR_CONFIG: 'targets.yaml', KEY: account.apiKey, SECRET: account.secretKey };
  const both = await probed(own, ['BEARER-3'], env);
  expect(both.exit).toBe(1);
  expect(both.stdout).toMatch(/^good {2}http/m);
  expect(both.stdout).toMatch(/again {5}\S+ npm run probe -- --target bad BEARER-3/);
  // The table does not name the only endpoint of a target.
  expect(both.stdout).not.toContain('\nGET /public-api/v1/widgets\n');
  expect(lastLine(both.stdout)).toMatch(/^2 targets · 1 without a violation, 1 violated · /);
  expect((await probed(own, ['--target', 'good'], env)).exit).toBe(0);
  const selected = await probed(own, ['BEARER-3', '--target', 'bad'], env);
  expect(selected.stdout).toMatch(/again {5}\S+ npm run probe -- --target bad BEARER-3/);
  expect(await probed(own, ['--target', 'goof'], env)).toEqual({
    exit: 2,
    stdout: '',
    stderr: 'unknown target "goof", perhaps good: npm run probe -- --help lists the options\n',
  });
});

test('--strict fails on clauses that a probe could not verify', async () => {
  await using provider = await startProvider();
  provider.become({ route: () => undefined });
  const env = watching(provider.baseUrl);
  const { exit, stdout } = await probed(folder(), ['--strict', 'BEARER-2'], env);
  expect(exit).toBe(2);
  expect(lastLine(stdout)).toContain('! Not verified, which --strict refuses · ');
});

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} ends a round at once, with 130`, async () => {
    await using silent = await startSilence();
    const { child, ended } = startProbe(folder(), [], watching(silent.origin));
    await silent.asked;
    child.kill(signal);
    expect(await ended).toEqual({ exit: 130, stdout: '', stderr: 'interrupted\n' });
  });

test('a closed pipe does not stop the round', async () => {
  await using provider = await startProvider();
  provider.become(lettingEverybodyIn);
  const args = ['BEARER-3', '--metrics', '-'];
  const { child, ended } = startProbe(folder(), args, watching(provider.baseUrl));
  child.stdout?.destroy();
  child.stderr?.destroy();
  // The violation was found after stdout was closed.
  expect((await ended).exit).toBe(1);
});

const wrong: readonly [args: string[], line: RegExp][] = [
  [['--json', '--metrics', '-'], /^--json and --metrics - both take stdout: /],
  [['--metrics', ''], /^--metrics names no file: /],
  [
    ['cookie'],
    /^"cookie" is not an area .*perhaps a-token-in-query-cookie-header-or-body-is-refused/,
  ],
  [['EXPIRY-2'], /^"EXPIRY-2" takes simulated time .*: npm run gate -- EXPIRY-2$/],
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
