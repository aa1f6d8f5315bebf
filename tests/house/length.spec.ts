import { expect, test } from '@playwright/test';
import { type FunctionLines, functionsOf } from './functions.ts';
import { longFiles, longFunctions } from './long.ts';
import { programs, type SourceFile, tree } from './tree.ts';

const mostFunctionLines = 40;
const mostFileLines = 250;

/** Tests are excluded because they have long lists of cases; `names.spec.ts` limits their files. */
const ownPrograms = (files: readonly SourceFile[]): readonly SourceFile[] =>
  programs(files).filter(({ path }) => !path.startsWith('tests/'));

/** The lines of the longest function of each name in each file; a key has the form that the exceptions use. */
function longest(functions: readonly FunctionLines[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const one of functions) {
    const key = `${one.path} ${one.name}`;
    lines.set(key, Math.max(one.lines, lines.get(key) ?? 0));
  }
  return lines;
}

/**
 * @param found the lines of each function or file by its name
 * @param allowed the names that may exceed the limit, with their own limits
 * @param remedy what to do with a function or file that is too long
 */
function complaints(
  found: ReadonlyMap<string, number>,
  allowed: ReadonlyMap<string, number>,
  { most, remedy }: { readonly most: number; readonly remedy: string },
): string[] {
  const tooLong = [...found]
    .filter(([name, lines]) => lines > (allowed.get(name) ?? most))
    .map(([name, lines]) => {
      const limit = allowed.get(name) ?? most;
      return `${name} has ${lines} lines of at most ${limit}: ${remedy}`;
    });
  const idle = [...allowed.keys()]
    .filter((name) => (found.get(name) ?? 0) <= most)
    .map((name) => `${name} has at most ${most} lines: take its row out of tests/house/long.ts`);
  return [...tooLong, ...idle];
}

function functionsAreShort(
  files: readonly SourceFile[],
  rows: readonly (readonly [path: string, name: string, lines: number])[],
): string[] {
  const allowed = new Map(rows.map(([path, name, lines]) => [`${path} ${name}`, lines]));
  return complaints(longest(functionsOf(ownPrograms(files))), allowed, {
    most: mostFunctionLines,
    remedy: 'make a class of its state, or functions of its parts',
  });
}

function filesAreShort(
  files: readonly SourceFile[],
  rows: readonly (readonly [path: string, lines: number])[],
): string[] {
  const found = ownPrograms(files).map(({ path, text }): [string, number] => [
    path,
    text.replace(/\n$/, '').split('\n').length,
  ]);
  return complaints(new Map(found), new Map(rows), {
    most: mostFileLines,
    remedy: 'a noun is missing, make its file',
  });
}

test('functions have at most 40 lines, but for the listed ones', () => {
  expect(functionsAreShort(tree, longFunctions)).toEqual([]);
});

test('files outside tests have at most 250 lines, but for the listed ones', () => {
  expect(filesAreShort(tree, longFiles)).toEqual([]);
});

/** A program of `x;` statements between a first and a last line. */
const of = (first: string, lines: number, last: string): SourceFile[] => [
  { path: 'contract/x.ts', text: `${first}\n${'x;\n'.repeat(lines - 2)}${last}\n` },
];

for (const [first, last, name] of [
  ['function long() {', '}', 'long'],
  ['export default function long() {', '}', 'long'],
  ['const long = async () => {', '};', 'long'],
  ['const long = function () {', '};', 'long'],
  ['const one = { long: () => {', '} };', 'long'],
  ['const one = { async long() {', '} };', 'long'],
  ['class One { long() {', '} }', 'long'],
  ['class One { #long = () => {', '} }', '#long'],
  ['class One { constructor() {', '} }', 'constructor'],
  ['class One { get long() {', '} }', 'long'],
  ['const one = list.map(() => {', '});', 'a callback in the file'],
] as const)
  test(`41 lines are too long and 40 are not: ${first}`, () => {
    expect(functionsAreShort(of(first, 40, last), [])).toEqual([]);
    expect(functionsAreShort(of(first, 41, last), [])).toEqual([
      `contract/x.ts ${name} has 41 lines of at most 40: make a class of its state, or functions of its parts`,
    ]);
  });

test('a nested function counts for itself and for the outer one', () => {
  const nested = of('function outer() { return list.map(() => {', 41, '}); }');
  expect(functionsAreShort(nested, [])).toEqual([
    expect.stringMatching(/^contract\/x\.ts outer has 41 lines/),
    expect.stringMatching(/^contract\/x\.ts a callback in outer has 41 lines/),
  ]);
});

test('comments before a function, and braces in its texts, do not count', () => {
  const text = `/**\n${' *\n'.repeat(50)} */\nfunction short() {\n  return '{' + \`{\${'}'}\` + /{/;\n}\n`;
  expect(functionsAreShort([{ path: 'contract/x.ts', text }], [])).toEqual([]);
});

test('a function of a test may be long', () => {
  const files = of('function long() {', 41, '}').map(({ text }) => ({ path: 'tests/x.ts', text }));
  expect(functionsAreShort(files, [])).toEqual([]);
});

test('a listed function may not grow, and leaves the list when it is short or gone', () => {
  const files = of('function long() {', 50, '}');
  expect(functionsAreShort(files, [['contract/x.ts', 'long', 50]])).toEqual([]);
  expect(functionsAreShort(files, [['contract/x.ts', 'long', 49]])).toEqual([
    expect.stringContaining('contract/x.ts long has 50 lines of at most 49'),
  ]);
  const row = 'has at most 40 lines: take its row out of tests/house/long.ts';
  const short = of('function long() {', 40, '}');
  for (const now of [short, []])
    expect(functionsAreShort(now, [['contract/x.ts', 'long', 50]])).toEqual([
      `contract/x.ts long ${row}`,
    ]);
});

test('a file of 251 lines is too long, and a listed one may not grow', () => {
  const lines = (count: number) => [{ path: 'contract/x.ts', text: 'x;\n'.repeat(count) }];
  expect(filesAreShort(lines(250), [])).toEqual([]);
  expect(filesAreShort(lines(251), [])).toEqual([
    'contract/x.ts has 251 lines of at most 250: a noun is missing, make its file',
  ]);
  expect(filesAreShort(lines(260), [['contract/x.ts', 260]])).toEqual([]);
  expect(filesAreShort(lines(261), [['contract/x.ts', 260]])).toHaveLength(1);
  expect(filesAreShort(lines(250), [['contract/x.ts', 260]])).toEqual([
    'contract/x.ts has at most 250 lines: take its row out of tests/house/long.ts',
  ]);
});
