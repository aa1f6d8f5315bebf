import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JSONReport } from '@playwright/test/reporter';
import type { Probe } from '../../contract/probe.ts';
import { formatTitle } from '../../gate/run.ts';
import { probes } from '../../probes/index.ts';
import { faulty } from '../faults/index.ts';
import { compileCache, type Environment } from '../process.ts';
import { expect, naming, namingWithoutClock, test } from './process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

/** Runs the gate's tests with Playwright alone, like a developer who runs one test in an editor. */
async function playwright(folder: string, args: readonly string[], env: Environment = {}) {
  const report = path.join(folder, 'report.json');
  const options = ['--reporter=json', '--output', path.join(folder, 'output')];
  const child = spawn(process.execPath, [cli, 'test', ...options, ...args], {
    cwd: root,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: compileCache,
      PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      ...env,
    },
  });
  const [exit] = await once(child, 'close');
  const { stats, suites, errors }: JSONReport = JSON.parse(await readFile(report, 'utf8'));
  const specs = suites.flatMap((suite) => suite.specs);
  const results = specs.flatMap(({ tests }) => tests).flatMap((run) => run.results);
  return {
    exit,
    passed: stats.expected,
    skipped: stats.skipped,
    failed: specs.filter(({ ok }) => !ok).map(({ title }) => title),
    messages: results.map(({ error }) => error?.message ?? ''),
    errors: errors.map(({ message }) => message),
    concurrency: 1 + Math.max(...results.map(({ parallelIndex }) => parallelIndex)),
  };
}

/** The title of the test of the first probe for which this is true. */
function titleWhere(isIt: (probe: Probe) => boolean): string {
  const probe = probes.find(isIt);
  if (probe === undefined) throw new Error('there is no such probe');
  return formatTitle(probe);
}

const exact = titleWhere(({ name }) => name === 'the-end-is-exact');
const later = titleWhere(({ stage }) => stage === 'wrong-credentials');

test('Playwright alone judges the sandbox', async ({ folder }) => {
  const run = await playwright(folder, ['--grep', `${exact}|${later}`]);
  expect(run).toMatchObject({ exit: 0, passed: 2, skipped: 0, failed: [], errors: [] });
});

test('a violation fails its test only, and another worker continues and releases the clock', async ({
  folder,
  serve,
}) => {
  const sandbox = await serve(faulty('leeway-of-a-second'));
  const run = await playwright(
    folder,
    ['--grep', `${exact}|${later}`, '--workers=4'],
    naming(sandbox),
  );
  expect(run).toMatchObject({ exit: 1, passed: 1, skipped: 0, failed: [exact], errors: [] });
  expect(run.concurrency).toBe(1);
  expect(run.messages.join('')).toMatch(
    /^Error: EXPIRY-2 {2}Once 24 hours .*\n {2}at 24 h 00 min 00\.000 s after the token was made/,
  );
  expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(5_000);
});

test('unverified tests are skipped', async ({ folder, serve }) => {
  const { baseUrl, state } = await serve();
  const env = namingWithoutClock(baseUrl, state.account);
  const run = await playwright(folder, ['--grep', exact], env);
  expect(run).toMatchObject({ exit: 0, skipped: 1, failed: [] });
});

test('a provider that cannot be judged fails the run, although every test is skipped', async ({
  folder,
  serve,
}) => {
  const { baseUrl, close } = await serve();
  await close();
  const run = await playwright(
    folder,
    ['--grep', titleWhere(({ stage }) => stage === 'present')],
    namingWithoutClock(baseUrl),
  );
  expect(run).toMatchObject({ exit: 1, passed: 0, failed: [] });
  expect(run.errors.join()).toContain('no connection (ECONNREFUSED)');
});
