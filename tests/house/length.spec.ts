import { expect, test } from '@playwright/test';
import { functionsOf } from './functions.ts';
import { programs, type SourceFile, tree } from './tree.ts';

const mostFunctionLines = 40;
const mostFileLines = 250;

/** Tests are excluded because they have long lists of cases; `names.spec.ts` limits their files. */
const ownPrograms = (files: readonly SourceFile[]): readonly SourceFile[] =>
  programs(files).filter(({ path }) => !path.startsWith('tests/'));

const functionsAreShort = (files: readonly SourceFile[]): string[] =>
  functionsOf(ownPrograms(files))
    .filter(({ lines }) => lines > mostFunctionLines)
    .map(
      ({ path, name, lines }) =>
        `${path} ${name} has ${lines} lines of at most ${mostFunctionLines}: make a class of its state, or functions of its parts`,
    );

const filesAreShort = (files: readonly SourceFile[]): string[] =>
  ownPrograms(files)
    .map(({ path, text }) => ({ path, lines: text.replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > mostFileLines)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines of at most ${mostFileLines}: a noun is missing, make its file`,
    );

test('functions have at most 40 lines', () => {
  expect(functionsAreShort(tree)).toEqual([]);
});

test('files outside tests have at most 250 lines', () => {
  expect(filesAreShort(tree)).toEqual([]);
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
    expect(functionsAreShort(of(first, 40, last))).toEqual([]);
    expect(functionsAreShort(of(first, 41, last))).toEqual([
      `contract/x.ts ${name} has 41 lines of at most 40: make a class of its state, or functions of its parts`,
    ]);
  });

test('a nested function counts for itself and for the outer one', () => {
  const nested = of('function outer() { return list.map(() => {', 41, '}); }');
  expect(functionsAreShort(nested)).toEqual([
    expect.stringMatching(/^contract\/x\.ts outer has 41 lines/),
    expect.stringMatching(/^contract\/x\.ts a callback in outer has 41 lines/),
  ]);
});

test('comments before a function, and braces in its texts, do not count', () => {
  const text = `/**\n${' *\n'.repeat(50)} */\nfunction short() {\n  return '{' + \`{\${'}'}\` + /{/;\n}\n`;
  expect(functionsAreShort([{ path: 'contract/x.ts', text }])).toEqual([]);
});

test('a function of a test may be long', () => {
  const files = of('function long() {', 41, '}').map(({ text }) => ({ path: 'tests/x.ts', text }));
  expect(functionsAreShort(files)).toEqual([]);
});

test('a file of 251 lines is too long', () => {
  const lines = (count: number) => [{ path: 'contract/x.ts', text: 'x;\n'.repeat(count) }];
  expect(filesAreShort(lines(250))).toEqual([]);
  expect(filesAreShort(lines(251))).toEqual([
    'contract/x.ts has 251 lines of at most 250: a noun is missing, make its file',
  ]);
});
