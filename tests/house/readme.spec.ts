import path from 'node:path';
import { expect, test } from '@playwright/test';
import { generated, measured, stale } from '../../tools/docs/documents.ts';
import { anchorsOf, withoutCode } from '../../tools/docs/markdown.ts';
import { paths, type Rule, type SourceFile, tree } from './tree.ts';

/** npm has its own commands for these scripts. */
const short = ['start', 'test'];

const documentsIn = (files: readonly SourceFile[]): readonly SourceFile[] =>
  files.filter(({ path: name }) => name.endsWith('.md'));

/** The scripts in `npm run x`, also after `npm ci &&`, and with options of npm between `run` and the name. */
const scriptsNamed = (text: string): string[] => [
  ...[...text.matchAll(/\bnpm run (?:-\S+ )*([\w:.-]*\w)/g)].map(([, name = '']) => name),
  ...short.filter((name) => new RegExp(`\\bnpm ${name}\\b`).test(text)),
];

/** The scripts of the package.json that is nearest to a file. */
function scriptsFor(file: string, files: readonly SourceFile[]): string[] {
  const folder = path.posix.dirname(file);
  const manifest = files.find(({ path: name }) => name === path.posix.join(folder, 'package.json'));
  if (manifest === undefined) return folder === '.' ? [] : scriptsFor(folder, files);
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(manifest.text);
  return Object.keys(scripts);
}

const scriptsExist: Rule = (files) =>
  documentsIn(files).flatMap(({ path: file, text }) => {
    const known = scriptsFor(file, files);
    return [...new Set(scriptsNamed(text))]
      .filter((name) => !known.includes(name))
      .map((name) => `${file} runs ${name}, which package.json does not have`);
  });

/** The links of a document, without URLs: a path from the root, and a heading. */
function linksOf({ path: file, text }: SourceFile): { link: string; to: string; at?: string }[] {
  const prose = withoutCode(text);
  const links = [
    ...prose.matchAll(/\]\(\s*<?([^)\s>]+)/g),
    ...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g),
    ...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm),
  ].map(([, link = '']) => link);
  return [...new Set(links)]
    .filter((link) => !/^[a-z][a-z+.-]*:|^\/\//i.test(link))
    .map((link) => {
      const [place = '', at] = decodeURI(link).split('#');
      const from = place.startsWith('/') ? '' : path.posix.dirname(file);
      const to = place === '' ? file : path.posix.join(from, place).replace(/^\/|\/$/g, '');
      return { link, to, at };
    });
}

const linksResolve = (files: readonly SourceFile[], known: readonly string[]): string[] =>
  documentsIn(files).flatMap((document) =>
    linksOf(document).flatMap(({ link, to, at }) => {
      if (to !== '.' && !known.some((one) => one === to || one.startsWith(`${to}/`)))
        return [`${document.path} links to ${link}: no such file is committed`];
      const target = documentsIn(files).find(({ path: name }) => name === to);
      return at === undefined || target === undefined || anchorsOf(target.text).includes(at)
        ? []
        : [`${document.path} links to ${link}: ${to} has no such heading`];
    }),
  );

const parts = [...generated, ...measured];

/** A part that no program writes would become outdated without notice. */
const partsAreWritten: Rule = (files) =>
  documentsIn(files).flatMap(({ path: file, text }) =>
    [...text.matchAll(/<!-- docs:(\w+) -->/g)]
      .map(([, name = '']) => name)
      .filter((name) => name !== 'end')
      .filter((name) => !parts.some((one) => one.file === file && one.name === name))
      .map((name) => `${file}: npm run docs does not write a part ${name}`),
  );

/** `house/names.spec.ts`: *a title*, or the beginning of a title before an ellipsis. */
const namedTests = /`([\w/-]+\.spec\.ts)`: ([^|\n]*)/g;

const testsExist: Rule = (files) =>
  documentsIn(files).flatMap(({ path: file, text }) =>
    [...text.matchAll(namedTests)].flatMap(([, spec = '', titles = '']) => {
      const tests = files.find(({ path: name }) => name === `tests/${spec}`)?.text ?? '';
      return [...titles.matchAll(/\*([^*]+)\*/g)]
        .map(([, title = '']) => title.replaceAll('…', '').trim())
        .filter((title) => !tests.includes(title))
        .map((title) => `${file} names the test "${title}", which tests/${spec} does not have`);
    }),
  );

/** A path in a code span. A name in capitals is a placeholder, and a run writes the files below `reports/`. */
const namedFiles = /`(?!reports\/)((?:[\w.-]+\/)+[\w-]+\.(?:ts|js|json|md|ya?ml|css))`/g;

/** Whether a document names a file relative to the root, to `tests/`, or to its own folder or a folder in it. */
const isNamedFrom = (file: string, name: string, one: string): boolean => {
  const folder = path.posix.dirname(file);
  const inside = folder === '.' || one.startsWith(`${folder}/`);
  return [name, `tests/${name}`].includes(one) || (inside && one.endsWith(`/${name}`));
};

const filesExist = (files: readonly SourceFile[], known: readonly string[]): string[] =>
  documentsIn(files).flatMap(({ path: file, text }) =>
    [...text.matchAll(namedFiles)]
      .map(([, name = '']) => name)
      .filter((name) => !/[A-Z]{4}/.test(name))
      .filter((name) => !known.some((one) => isNamedFrom(file, name, one)))
      .map((name) => `${file} names the file ${name}, which does not exist`),
  );

test('every file that a document names exists', () => {
  expect(filesExist(tree, paths)).toEqual([]);
});

/** A new reader should be able to read all of README; details are in the folders that it links to. */
const readmeIsShort: Rule = (files) =>
  files
    .filter(({ path: file }) => file === 'README.md')
    .map(({ text }) => text.trimEnd().split('\n').length)
    .filter((lines) => lines > 220)
    .map((lines) => `README.md has ${lines} lines of at most 220: move a part to its folder`);

test('README has at most 220 lines', () => {
  expect(readmeIsShort(tree)).toEqual([]);
  const lines = Array.from({ length: 221 }, () => 'A line.');
  expect(readmeIsShort(treeWith(...lines.slice(1)))).toEqual([]);
  expect(readmeIsShort(treeWith(...lines))).toEqual([
    'README.md has 221 lines of at most 220: move a part to its folder',
  ]);
});

test('every generated part of the documentation is as in the code', () => {
  expect(stale()).toEqual([]);
});

test('every part between markers is generated or measured, and every measured part has markers', () => {
  expect(partsAreWritten(tree)).toEqual([]);
  for (const { file, name } of measured)
    expect(tree.find(({ path: one }) => one === file)?.text).toContain(`<!-- docs:${name} -->`);
});

test('every script that a document names exists', () => {
  expect(scriptsExist(tree)).toEqual([]);
});

test('every test that a document names exists', () => {
  expect(testsExist(tree)).toEqual([]);
});

test('every link of a document leads to a file and a heading that exist', () => {
  expect(linksResolve(tree, paths)).toEqual([]);
});

const manifest = (...scripts: readonly string[]): string =>
  JSON.stringify({ scripts: Object.fromEntries(scripts.map((name) => [name, ''])) });

const page = '# A page\n\n## Twice\n\n## Twice\n\n`npm test` [up](../README.md)';

/** A made-up tree: a README of these lines, and a folder with its own document and scripts. */
const treeWith = (...lines: readonly string[]): SourceFile[] => [
  { path: 'README.md', text: lines.join('\n') },
  { path: 'package.json', text: manifest('start', 'gate') },
  { path: 'docs/page.md', text: page },
  { path: 'docs/package.json', text: manifest('test') },
];

test('a script that a document invents is found, by the nearest package.json', () => {
  expect(scriptsExist(treeWith('`npm ci && npm start`, `npm run gate -- EXPIRY`.'))).toEqual([]);
  expect(scriptsExist(treeWith('`npm test`, `npm run -s gates`'))).toEqual([
    'README.md runs gates, which package.json does not have',
    'README.md runs test, which package.json does not have',
  ]);
});

test('a file that a document invents is found, from the root, the folder of the document or tests', () => {
  const known = ['docs/one.ts', 'tests/house/one.spec.ts'];
  const found = (text: string) =>
    filesExist(
      [{ path: 'docs/page.md', text }],
      ['docs/in/two.ts', 'docs/very/deep/in/three.ts', ...known],
    );
  expect(found('`docs/one.ts` `house/one.spec.ts` `in/two.ts` `deep/in/three.ts`')).toEqual([]);
  expect(found('`probes/NAME.ts` `reports/gate.json` `npm run docs/one.ts`')).toEqual([]);
  expect(found('`docs/two.ts`')).toEqual([
    'docs/page.md names the file docs/two.ts, which does not exist',
  ]);
});

test('a test that a document invents is found', () => {
  const files = (row: string): SourceFile[] => [
    ...treeWith(row),
    { path: 'tests/house/one.spec.ts', text: "test('a cat is a cat', () => {});" },
  ];
  expect(testsExist(files('| `house/one.spec.ts`: *a cat …*, *a cat is a cat* | *b* |'))).toEqual(
    [],
  );
  expect(testsExist(files('| `house/one.spec.ts`: *a dog* |'))).toEqual([
    'README.md names the test "a dog", which tests/house/one.spec.ts does not have',
  ]);
});

test('a marker of a part that is not generated is found', () => {
  expect(partsAreWritten(treeWith('<!-- docs:commands -->', '<!-- docs:end -->'))).toEqual([]);
  expect(partsAreWritten(treeWith('<!-- docs:command -->'))).toEqual([
    'README.md: npm run docs does not write a part command',
  ]);
});

test('a link to a missing file, picture or heading is found', () => {
  const links = (...lines: readonly string[]): string[] =>
    linksResolve(treeWith(...lines), ['README.md', 'LICENSE', 'docs/page.md', 'docs/page.png']);
  expect(links('# How it is built', '[a](#how-it-is-built) ![b](docs/page.png)')).toEqual([]);
  expect(links('[a](./LICENSE) <img src="docs/page.png"> [b](docs) [c](/docs/)')).toEqual([]);
  expect(links('[a](docs/page.md#a-page) [b](docs/page.md#twice-1)')).toEqual([]);
  expect(links('[a](https://example.com/x) [b](mailto:a@example.com)')).toEqual([]);
  expect(links('```', '[a](nowhere.md)', '```')).toEqual([]);
  for (const broken of [
    '[a](nowhere.md)',
    '![a](docs/pages.png)',
    '<img src="docs/other.png" alt="">',
    '<source srcset="docs/dark.png">',
    '[a]: nowhere.md',
    '[a](#nowhere)',
    '[a](docs/page.md#nowhere)',
    '[a](docs/page.md#twice-2)',
  ])
    expect(links(broken)).toEqual([expect.stringMatching(/^README\.md links to .*: /)]);
});
