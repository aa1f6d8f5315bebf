import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { closingLine, countOf, exitCode, leftForNight, sum, type Tried } from '../count.ts';
import { progressLine } from '../reporter.ts';

const count = (passed: number, failed: number, skipped: number, ...whys: readonly string[]) => ({
  passed,
  failed,
  skipped,
  failures: Array.from({ length: failed }, (_, index) => `failure ${index}`),
  reasons: new Map(whys.map((why) => [why, 1])),
});

test('the closing line names skipped tests only where tests were skipped', () => {
  expect(closingLine(count(3, 0, 0))).toBe('3 passed, 0 failed');
  expect(closingLine(count(3, 1, 2))).toBe('3 passed, 1 failed, 2 skipped');
});

const tried = (outcome: ReturnType<Tried['outcome']>): Tried => ({
  title: outcome,
  location: { file: '/tests/a.spec.ts', line: 3, column: 1 },
  ...{ annotations: [], results: [] },
  outcome: () => outcome,
});

test('an error outside any test, and a flaky test, are failures', () => {
  const tests = (['expected', 'unexpected', 'flaky'] as const).map(tried);
  const counted = countOf('/tests', tests, [{ message: 'broken' }]);
  expect(closingLine(counted)).toBe('1 passed, 3 failed');
  expect(counted.failures).toEqual([
    'a.spec.ts:3 unexpected: no error was reported',
    'a.spec.ts:3 flaky: no error was reported',
    'outside of any test: broken',
  ]);
});

test('the progress has the rate and the time left', () => {
  const progress = { done: 0, total: 4600, failed: 0, seconds: 0 };
  expect(progressLine(progress)).toBe('0 of 4600 tests');
  expect(progressLine({ ...progress, done: 600, failed: 1, seconds: 60 })).toBe(
    '600 of 4600 tests, 1 failed · 10.0 a second · about 7 min left',
  );
});

test('steps and reasons are summed up', () => {
  expect(sum([count(3, 0, 1, 'no ruby'), count(1, 2, 2, 'no ruby', 'no browser')])).toEqual({
    passed: 4,
    failed: 2,
    skipped: 3,
    failures: ['failure 0', 'failure 1'],
    reasons: new Map([
      ['no ruby', 2],
      ['no browser', 1],
    ]),
  });
});

test('a failure fails the run, and so does a run without tests', () => {
  expect(exitCode(count(9, 1, 0), false)).toBe(1);
  expect(exitCode(count(0, 0, 0), false)).toBe(1);
  expect(exitCode(count(9, 0, 0), true)).toBe(0);
});

test('skipped tests fail the run under CI only, unless they are left for a night', () => {
  expect(exitCode(count(9, 0, 1), false)).toBe(0);
  expect(exitCode(count(9, 0, 1), true)).toBe(1);
  const left = { ...tried('skipped'), annotations: [{ type: 'skip', description: leftForNight }] };
  const counted = countOf('/tests', [tried('expected'), left], []);
  expect(counted).toMatchObject({ passed: 1, skipped: 0, reasons: new Map([[leftForNight, 1]]) });
  expect(exitCode(counted, true)).toBe(0);
});

/** Without what this run has found out about programs. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(PATH|CI|NIGHT|PROGRAM_.*)$/.test(name)),
);
const beside = (file: string) => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Runs `npm test` in its own folder, with tests that need a missing program. */
async function npmTest(folder: string, more: NodeJS.ProcessEnv, spec: string): Promise<Ended> {
  await mkdir(folder, { recursive: true });
  await writeFile(
    path.join(folder, 'playwright.config.ts'),
    "export default { outputDir: 'out' };\n",
  );
  await writeFile(
    path.join(folder, 'own.spec.ts'),
    `import { expect, test } from '@playwright/test';
     import { needs } from ${JSON.stringify(beside('programs.ts'))};
     import { nightly } from ${JSON.stringify(beside('nightly.ts'))};\n${spec}`,
  );
  const args = [beside('main.ts'), `--config=${path.join(folder, 'playwright.config.ts')}`];
  const child = spawn(process.execPath, args, { env: { ...env, PATH: folder, ...more } });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  return new Promise((resolve) => {
    child.once('close', (code) =>
      resolve({ code, output, last: output.trim().split('\n').at(-1) }),
    );
  });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly last: string | undefined;
}

const good = `test('is good', () => expect(1).toBe(1));\n`;
const bad = `test('is bad', () => expect('one', 'two lines').toBe('other'));\n`;
const lacking = `test.describe('group', () => { needs('promtool'); test('is left out', () => {}); });\n`;

const long = `test.describe('group', () => { nightly(); test('takes long', () => {}); });\n`;

test('tests that did not run are listed with the reason, and failed ones again with the values', async () => {
  const folder = test.info().outputPath('own');
  const { code, output, last } = await npmTest(folder, {}, good + bad + lacking + long);
  expect(output).toContain(
    '  1 × promtool is missing: npm run setup installs it (Debian: prometheus)\n',
  );
  expect(output).toContain('  1 × only npm run test:nightly runs it\n');
  expect(output).toMatch(/\nFailed:\n {2}own\.spec\.ts:\d+ is bad: Error: two lines\n/);
  expect(output).toMatch(/\n {4}Expected: "other"\n {4}Received: "one"\n(?: {4}.*\n)*\nNot run:\n/);
  expect(last).toBe('1 passed, 1 failed, 1 skipped');
  expect(code).toBe(1);
});

test('under CI a test whose program is missing fails, and a night runs the test that was left for it', async () => {
  const folder = test.info().outputPath('own');
  const more = { CI: 'true', NIGHT: '2026-05-20' };
  const { code, output, last } = await npmTest(folder, more, good + lacking + long);
  expect(output).toContain('promtool is missing: npm run setup installs it');
  expect(output).not.toContain('Not run:');
  expect(last).toBe('2 passed, 1 failed');
  expect(code).toBe(1);
});

test('only the beginning of a long failure is printed again', () => {
  const message = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n\n');
  const [failure = ''] = countOf('', [], [{ message }]).failures;
  expect(failure.split('\n').length).toBe(13);
  expect(failure).toMatch(/line 11\n…$/);
});

test('a file that cannot be loaded is a failure', async () => {
  const folder = test.info().outputPath('own');
  const { code, last } = await npmTest(folder, {}, `${good} throw new Error('broken');`);
  expect(last).toBe('0 passed, 1 failed');
  expect(code).toBe(1);
});
