import path from 'node:path';
import { expect, test } from '@playwright/test';
import { findStale } from '../../tools/docs/documents.ts';
import { createAnchor } from '../../tools/docs/markdown.ts';
import { paths, type SourceFile, textOf, tree } from './tree.ts';

const documents = tree.filter(({ path: name }) => name.endsWith('.md'));

/** The scripts of the package.json that is nearest to a file. */
function scriptsFor(file: string): string[] {
  const folder = path.posix.dirname(file);
  const manifest = textOf(path.posix.join(folder, 'package.json'));
  if (manifest === '') return scriptsFor(folder);
  const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(manifest);
  return Object.keys(scripts);
}

const withoutCode = (document: string): string => document.replaceAll(/^```.*?^```/gms, '');

/** The anchors of the headings in a document; a repeated one gets a number. */
function anchorsOf(document: string): string[] {
  const headings = [...withoutCode(document).matchAll(/^#+ (.*)$/gm)];
  const grouped = Map.groupBy(headings, ([, heading = '']) => createAnchor(heading));
  return [...grouped].flatMap(([anchor, same]) =>
    same.map((_, times) => (times === 0 ? anchor : `${anchor}-${times}`)),
  );
}

test('every script that a document names exists', () => {
  for (const { path: file, text } of documents) {
    // It also names scripts that are gone.
    if (file === 'CHANGELOG.md') continue;
    const named = [...text.matchAll(/\bnpm (?:run (?:-\S+ )*([\w:.-]*\w)|(start|test)\b)/g)].map(
      ([, name, short]) => name ?? short,
    );
    expect(scriptsFor(file), file).toEqual(expect.arrayContaining(named));
  }
});

test('README describes every script', () => {
  const commands = [...textOf('README.md').matchAll(/^\| `npm (?:run )?([\w:]+)` \|/gm)];
  const scripts = scriptsFor('README.md').filter((name) => name !== 'prepack');
  expect(commands.map(([, name]) => name).sort()).toEqual(scripts.sort());
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

test('every link of a document leads to a file and a heading that exist', () => {
  const broken = documents.flatMap((document) =>
    linksOf(document).flatMap(({ link, to, at }) => {
      const isThere = to === '.' || paths.some((path) => path === to || path.startsWith(`${to}/`));
      const isHeading =
        !to.endsWith('.md') || at === undefined || anchorsOf(textOf(to)).includes(at);
      return isThere && isHeading ? [] : [`${document.path} links to ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('every generated part of the documentation is as in the code', () => {
  expect(
    findStale().map(({ file }) => file),
    'run npm run docs',
  ).toEqual([]);
});

test('every test that a document names exists', () => {
  // `house/names.spec.ts`: *a title*, or the beginning of a title before an ellipsis.
  const missing = documents.flatMap(({ path: file, text }) =>
    [...text.matchAll(/`([\w/-]+\.spec\.ts)`: ([^|\n]*)/g)].flatMap(([, spec, titles = '']) =>
      [...titles.matchAll(/\*([^*]+)\*/g)]
        .map(([, title = '']) => title.replaceAll('…', '').trim())
        .filter((title) => !textOf(`tests/${spec}`).includes(title))
        .map((title) => `${file} names the test "${title}" of ${spec}`),
    ),
  );
  expect(missing).toEqual([]);
});

/** A path in a code span. A name in capitals is a placeholder, and a run writes the files below `reports/`. */
const namedFiles = /`(?!reports\/)((?:[\w.-]+\/)+[\w.-]+\.(?:ts|js|json|md|ya?ml|css))`/g;

/** Whether a document names a file relative to the root, to `tests/`, or to its own folder or a folder in it. */
const isNamedFrom = (file: string, name: string, one: string): boolean => {
  const folder = path.posix.dirname(file);
  const inside = folder === '.' || one.startsWith(`${folder}/`);
  return [name, `tests/${name}`].includes(one) || (inside && one.endsWith(`/${name}`));
};

test('every file that a document names exists', () => {
  const missing = documents.flatMap(({ path: file, text }) =>
    [...text.matchAll(namedFiles)]
      .map(([, name = '']) => name)
      .filter((name) => !/[A-Z]{4}/.test(name))
      .filter((name) => !paths.some((path) => isNamedFrom(file, name, path)))
      .map((name) => `${file} names ${name}`),
  );
  expect(missing).toEqual([]);
});

test('README has at most 220 lines', () => {
  const lines = textOf('README.md').trimEnd().split('\n').length;
  expect(lines, 'move a part to its folder').toBeLessThanOrEqual(220);
});
