import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { createReport } from '../../contract/report/contract-report.ts';
import { publish } from '../../contract/report/write.ts';
import * as rounds from './rounds.ts';

const folder = (): string => test.info().outputPath();

const table = expect.stringContaining('! No clause violated');
const annotations = expect.stringMatching(/^::notice title=EXPIRY-1.*\n$/);

/** The output of `publish` for a round with this exit code, and the exit code that it returns. */
async function published(env: NodeJS.ProcessEnv, folder: string, exit: 0 | 1 = 0) {
  const report = createReport(rounds.withoutClock, rounds.context);
  const printed: string[] = [];
  const writes = [process.stdout, process.stderr].map((stream) => {
    const { write } = stream;
    stream.write = (text) => printed.push(String(text)) > 0;
    return () => {
      stream.write = write;
    };
  });
  const code = await publish(
    report,
    { 'a.json': '{}', 'b.json': '{}' },
    { exit, folder, env },
  ).finally(() => {
    for (const restore of writes) restore();
  });
  return { code, printed };
}

test('GitHub Actions gets annotations and a step summary, recognised by its own variable', async () => {
  const into = folder();
  const summary = path.join(into, 'summary.md');
  fs.writeFileSync(summary, 'before\n');
  const ci = { CI: 'true', GITHUB_STEP_SUMMARY: summary };
  expect(await published(ci, into)).toEqual({ code: 0, printed: [table] });
  expect(fs.readdirSync(into)).toEqual(['a.json', 'b.json', 'summary.md']);
  const { printed } = await published({ ...ci, GITHUB_ACTIONS: 'true' }, into);
  expect(printed).toEqual([table, annotations]);
  expect(fs.readFileSync(summary, 'utf8')).toMatch(/^before\n\n(( {4}.*)?\n)+$/);
});

test('a file that cannot be written is reported in one line, and stops no other file', async () => {
  const blocked = path.join(folder(), 'a.json');
  fs.mkdirSync(blocked);
  const { code, printed } = await published({}, folder());
  expect(code).toBe(3);
  expect(printed).toContain(
    `${blocked} cannot be written: EISDIR: illegal operation on a directory\n`,
  );
  expect(fs.readFileSync(path.join(folder(), 'b.json'), 'utf8')).toBe('{}');
});

test('a green whose report cannot be written exits 3, a violation still exits 1, and all else is printed', async () => {
  const file = path.join(folder(), 'a-file');
  fs.writeFileSync(file, '');
  const GITHUB_STEP_SUMMARY = path.join(folder(), 'missing', 'summary.md');
  const onGitHub = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY };
  expect((await published({}, file)).code).toBe(3);
  expect(await published(onGitHub, file, 1)).toEqual({
    code: 1,
    printed: [
      table,
      annotations,
      expect.stringMatching(/^the folder .*a-file cannot be written: .*\n/),
      'the step summary cannot be written: ENOENT: no such file or directory\n',
    ],
  });
});
