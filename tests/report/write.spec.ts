import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { formsOf } from '../../contract/report/forms.ts';
import { plain } from '../../contract/report/terminal.ts';
import { publish, type ReportForms, writeReports } from '../../contract/report/write.ts';
import * as rounds from './rounds.ts';

const folder = (): string => test.info().outputPath();
const files = formsOf(rounds.violated, rounds.context).files;
const names = ['gate.html', 'gate.json', 'gate.xml'];

test('all reports are written, into a new folder', async () => {
  const into = path.join(folder(), 'deep', 'reports');
  await writeReports(into, files);
  expect(fs.readdirSync(into).sort()).toEqual(names);
  expect(JSON.parse(fs.readFileSync(path.join(into, 'gate.json'), 'utf8')).exit).toBe(1);
});

test('a file is replaced by a rename, so that readers never see half of it', async () => {
  const into = folder();
  const file = path.join(into, 'gate.json');
  fs.writeFileSync(file, 'old');
  const reader = fs.openSync(file, 'r');
  await writeReports(into, files);
  expect(fs.readFileSync(reader, 'utf8')).toBe('old');
  fs.closeSync(reader);
  expect(fs.readFileSync(file, 'utf8')).toContain('"exit": 1');
});

test('a file that cannot be written is reported in one line, and stops no other file', async () => {
  const into = folder();
  const blocked = path.join(into, 'gate.xml');
  fs.mkdirSync(path.join(blocked, 'taken'), { recursive: true });
  expect(await writeReports(into, files)).toEqual([
    `${blocked} cannot be written: EISDIR: illegal operation on a directory`,
  ]);
  expect(fs.readdirSync(into).sort()).toEqual(names);
  expect(fs.readFileSync(path.join(into, 'gate.html'), 'utf8')).toContain('</html>');
});

test('a folder that cannot be created is reported in one line', async () => {
  const file = path.join(folder(), 'a-file');
  fs.writeFileSync(file, '');
  expect(await writeReports(path.join(file, 'reports'), files)).toEqual([
    `the folder ${file}/reports cannot be written: ENOTDIR: not a directory`,
  ]);
  expect(await writeReports(file, files)).toEqual([
    `the folder ${file} cannot be written: EEXIST: file already exists`,
  ]);
});

test('ten thousand findings are written quickly, into small files', async () => {
  const into = folder();
  await writeReports(into, formsOf(rounds.hostile, rounds.context).files);
  const size = (name: string): number => fs.statSync(path.join(into, name)).size;
  expect(size('gate.html')).toBeLessThan(150_000);
  expect(size('gate.xml')).toBeLessThan(200_000);
  expect(size('gate.json')).toBeLessThan(700_000);
});

/** The output of `publish` for a round with this exit code, and the exit code that it returns. */
async function published(env: NodeJS.ProcessEnv, folder: string, exit: 0 | 1 = 0) {
  const forms: ReportForms = {
    text: 'the table\n',
    annotations: () => 'the annotations\n',
    summary: () => 'the summary\n',
    files: { 'a.json': () => '{}' },
  };
  const printed: string[] = [];
  const writes = [process.stdout, process.stderr].map((stream) => {
    const { write } = stream;
    stream.write = (text) => printed.push(String(text)) > 0;
    return () => {
      stream.write = write;
    };
  });
  const code = await publish(forms, { exit, folder, env }).finally(() => {
    for (const restore of writes) restore();
  });
  return { code, printed };
}

test('GitHub Actions gets annotations and a step summary, recognised by its own variable', async () => {
  const into = folder();
  const summary = path.join(into, 'summary.md');
  fs.writeFileSync(summary, 'before\n');
  const ci = { CI: 'true', GITHUB_STEP_SUMMARY: summary };
  expect(await published(ci, into)).toEqual({ code: 0, printed: ['the table\n'] });
  expect(fs.readdirSync(into)).toEqual(['a.json', 'summary.md']);
  const { printed } = await published({ ...ci, GITHUB_ACTIONS: 'true' }, into);
  expect(printed).toEqual(['the table\n', 'the annotations\n']);
  expect(fs.readFileSync(summary, 'utf8')).toBe('before\nthe summary\n');
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
      'the table\n',
      'the annotations\n',
      expect.stringMatching(/^the folder .*a-file cannot be written: .*\n/),
      'the step summary cannot be written: ENOENT: no such file or directory\n',
    ],
  });
});

test('the forms of a report are its table, annotations, summary and three files', () => {
  const { text, annotations, summary, files } = formsOf(rounds.violated, rounds.context, plain());
  expect(text).toContain('✗ Contract violated');
  expect(annotations()).toContain('::error title=EXPIRY-2::');
  expect(summary()).toContain('✗ Contract violated');
  expect(Object.keys(files).sort()).toEqual(names);
});
