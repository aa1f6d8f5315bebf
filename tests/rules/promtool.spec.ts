import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { needs, programPath } from '../programs.ts';
import { caseFiles, ruleFiles } from './rules.ts';

needs('promtool');

const root = fileURLToPath(new URL('../..', import.meta.url));

function promtool(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(programPath('promtool'), words, {
    cwd: root,
    encoding: 'utf8',
    // Collects garbage less often: a third of the processor time of the cases, for 240 MB of memory.
    env: { ...process.env, GOGC: '400' },
  });
  return { status, output: stdout + stderr };
}

test('there are rules and cases', () => {
  expect(ruleFiles.length).toBeGreaterThan(0);
  expect(caseFiles.map((file) => file.replace(/^.*\/|\.test/g, ''))).toEqual(
    ruleFiles.map((file) => file.replace(/^.*\//, '')),
  );
});

for (const file of ruleFiles)
  test(`promtool accepts ${file}`, () => {
    const { status, output } = promtool('check', 'rules', '--lint=all', '--lint-fatal', file);
    expect(status, output).toBe(0);
  });

for (const file of caseFiles)
  test(`the rules pass the cases of ${file}`, () => {
    const { status, output } = promtool('test', 'rules', file);
    expect(status, output).toBe(0);
  });
