import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { formsOf } from '../../contract/report/forms.ts';
import { reportOf } from '../../contract/report/report.ts';
import { ReportError } from '../../contract/report/report-error.ts';
import { plain } from '../../contract/report/terminal-style.ts';
import { publish, type ReportForms, writeReports } from '../../contract/report/write.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import * as rounds from './rounds.ts';

const folder = (): string => test.info().outputPath();
const files = formsOf(reportOf(rounds.violated, rounds.context)).files;
const names = ['gate.html', 'gate.json', 'gate.xml'];

const failureOf = async (written: Promise<unknown>): Promise<string> => {
  const error = await written.catch((thrown: unknown) => thrown);
  if (!(error instanceof ReportError)) throw new Error(`no ReportError: ${String(error)}`);
  return error.message;
};

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
  expect(await failureOf(writeReports(into, files))).toBe(
    `${blocked} cannot be written: a folder stands there (EISDIR)`,
  );
  expect(fs.readdirSync(into).sort()).toEqual(names);
  expect(fs.readFileSync(path.join(into, 'gate.html'), 'utf8')).toContain('</html>');
});

test('a folder that cannot be created is reported in one line', async () => {
  const file = path.join(folder(), 'a-file');
  fs.writeFileSync(file, '');
  expect(await failureOf(writeReports(path.join(file, 'reports'), files))).toBe(
    `the folder ${file}/reports cannot be written: a part of its path is a file (ENOTDIR)`,
  );
  expect(await failureOf(writeReports(file, files))).toBe(
    `the folder ${file} cannot be written: a file is in the place of the folder (EEXIST)`,
  );
});

test('no file holds a secret in any form, although the round does', async () => {
  const into = folder();
  const secrets = ['Tr0mbone "Lilac" & <77>', 'eyJhbGciOiJub25lIn0.Vi0la-Harbour-9'];
  const scrubber = new Scrubber();
  for (const secret of secrets) scrubber.learn(new Secret(secret));
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    JSON.stringify(secret).slice(1, -1),
  ]);
  const output = forms.join(' | ');
  const round = rounds.quoting(output, (text) => scrubber.scrub(text));
  await writeReports(into, formsOf(reportOf(round, { ...rounds.context, target: output })).files);
  for (const name of names) {
    const text = fs.readFileSync(path.join(into, name), 'utf8');
    expect(text).toContain('[secret]');
    const decoded = text
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    for (const form of [...forms, ...forms.map((one) => JSON.stringify(one).slice(1, -1))])
      expect(text.includes(form) || decoded.includes(form), `${name}: ${form}`).toBe(false);
  }
});

test('ten thousand findings are written quickly, with a limit except in gate.json', async () => {
  const into = folder();
  await writeReports(into, formsOf(reportOf(rounds.hostile, rounds.context)).files);
  const size = (name: string): number => fs.statSync(path.join(into, name)).size;
  expect(size('gate.html')).toBeLessThan(150_000);
  expect(size('gate.xml')).toBeLessThan(200_000);
  expect(size('gate.json')).toBeGreaterThan(2_000_000);
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
      'the step summary cannot be written: its folder does not exist (ENOENT)\n',
    ],
  });
});

test('the forms of a report are its table, annotations, summary and three files', () => {
  const report = reportOf(rounds.violated, rounds.context);
  const { text, annotations, summary, files } = formsOf(report, plain());
  expect(text).toContain('✗ Contract violated');
  expect(annotations()).toContain('::error title=EXPIRY-2::');
  expect(summary()).toContain('## ❌ The contract is violated');
  expect(Object.keys(files).sort()).toEqual(names);
});
