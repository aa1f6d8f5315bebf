import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JSONReport } from '@playwright/test/reporter';
import { startSandbox } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { compileCache, type Environment } from '../process.ts';
import { expect, freshFolder, naming, namingWithoutClock, removeFolder, test } from './process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));

/** Runs the project `gate` with Playwright alone, like a developer who runs the test of one clause in an editor. */
async function playwright(folder: string, files: readonly string[], env: Environment = {}) {
  const report = path.join(folder, 'report.json');
  const args = ['--project=gate', '--reporter=json', '--output', path.join(folder, 'output')];
  const child = spawn(process.execPath, [cli, 'test', ...args, ...files], {
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
  const { stats, suites }: JSONReport = JSON.parse(await readFile(report, 'utf8'));
  const specs = suites.flatMap((suite) => suite.specs);
  const broken = specs.filter(({ ok }) => !ok).map(({ title }) => title.split(' ')[0]);
  const results = specs.flatMap(({ tests }) => tests).flatMap((one) => one.results);
  const concurrency = 1 + Math.max(...results.map(({ parallelIndex }) => parallelIndex));
  const messages = results.map(({ error }) => error?.message ?? '');
  return { exit, messages, passed: stats.expected, skipped: stats.skipped, broken, concurrency };
}

test('Playwright alone judges the sandbox', async ({ folder }) => {
  expect(await playwright(folder, [])).toMatchObject({
    exit: 0,
    passed: 21,
    skipped: 0,
    broken: [],
  });
});

test.describe('a violation', () => {
  let red: Awaited<ReturnType<typeof playwright>>;
  let clockIsReal: boolean;
  test.beforeAll(async () => {
    await using sandbox = await startSandbox({ behaviour: faulty('leeway-of-a-second') });
    const folder = await freshFolder();
    // After the failed test of EXPIRY-2 another worker begins, and judges again.
    const tests = ['contract/expiry', 'contract/token', '--grep-invert', 'EXPIRY-4'];
    red = await playwright(folder, [...tests, '--workers=4'], naming(sandbox));
    clockIsReal = Math.abs(sandbox.clock.now() - Date.now()) < 5_000;
    await removeFolder(folder);
  });

  test('Playwright judges a provider with one worker, and fails violated clauses', () => {
    expect(red).toMatchObject({
      exit: 1,
      passed: 9,
      skipped: 0,
      broken: ['EXPIRY-2'],
      concurrency: 1,
    });
    expect(clockIsReal).toBe(true);
  });

  test('a failure does not refer to a report that Playwright alone does not write', () => {
    expect(red.messages.join()).toMatch(
      /and \d+ further findings, all of them in gate\.json, which npm run gate writes\n/,
    );
  });
});

test('unverified clauses are skipped, and fail where the settings are strict', async ({
  folder,
  serve,
}) => {
  const { baseUrl, state } = await serve();
  const env = { ...namingWithoutClock(baseUrl, state.account), PUBLIC_API_STRICT: 'true' };
  const only = ['contract/expiry', '--grep', 'EXPIRY-1'];
  const refused = { exit: 1, passed: 0, skipped: 0, broken: ['EXPIRY-1'] };
  expect(await playwright(folder, only, env)).toMatchObject(refused);
  const pardoned = { exit: 0, passed: 0, skipped: 1, broken: [] };
  const lenient = { ...env, PUBLIC_API_STRICT: 'false' };
  expect(await playwright(folder, only, lenient)).toMatchObject(pardoned);
});
