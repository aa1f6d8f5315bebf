import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { faulty } from '../../sandbox/faults/index.ts';
import { ours, startNode } from '../process.ts';
import { expect, naming, test } from './process.ts';

const line =
  'the folder reports cannot be written: a file is in the place of the folder (EEXIST)\n';

test('a passing run whose reports cannot be written fails', async ({ folder, gate }) => {
  await writeFile(path.join(folder, 'reports'), '');
  const run = await gate(['TOKEN-4']);
  expect(run).toMatchObject({ exit: 3, stderr: line });
  expect(run.stdout).toContain('✓ Contract holds as far as selected · 1 held · ');
});

test('a failing run stays failed when its reports cannot be written, and prints everything else', async ({
  folder,
  gate,
  serve,
}) => {
  await writeFile(path.join(folder, 'reports'), '');
  const summary = path.join(folder, 'missing', 'summary.md');
  const onGitHub = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const env = { ...naming(await serve(faulty('token-in-query-token'))), ...onGitHub };
  const run = await gate(['a-token-in-the-query-is-refused'], env);
  expect(run.exit).toBe(1);
  expect(run.stderr).toBe(
    `${line}the step summary cannot be written: its folder does not exist (ENOENT)\n`,
  );
  expect(run.stdout).toContain('✗ Contract violated · 0 held, 1 violated · ');
  expect(run.stdout).toContain('::error title=BEARER-2::');
});

test('the action has the verdict and the reports although the step summary cannot be written', async ({
  folder,
  serve,
}) => {
  const output = path.join(folder, 'output');
  const ran = await startNode(folder, [ours('gate/github/action.ts')], {
    ...naming(await serve(faulty('token-in-query-token'))),
    CLAUSES: 'a-token-in-the-query-is-refused',
    RUNNER_TEMP: folder,
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: path.join(folder, 'missing', 'summary.md'),
  }).ended;
  expect(ran.exit).toBe(1);
  expect(readFileSync(output, 'utf8')).toMatch(
    /^verdict=violated\nreport=\S+reports\nviolated=BEARER-2\n$/,
  );
});
