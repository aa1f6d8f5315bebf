import { expect, test } from '@playwright/test';
import { programs, type Rule, tree } from './tree.ts';

const banned = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'types', 'shared'];

const mostLines = 300;
/** The formatter breaks code at 100 columns, and leaves texts and comments unchanged. */
const widestCode = 100;
const widestComment = 120;

/** `test-helpers.ts` is also refused: the last word of a name says what the file contains. */
const noDumpingGround: Rule = (files) =>
  files.flatMap(({ path }) =>
    path.split('/').flatMap((part) => {
      const word = part.split('.')[0]?.split(/[-_]/).at(-1)?.toLowerCase() ?? '';
      return banned.includes(word)
        ? [`${path}: "${word}" is banned, name the thing that it holds`]
        : [];
    }),
  );

/** `http-1-0-is-no-way-in` is exported as `http10IsNoWayIn`; no identifier begins with a digit. */
const identifierOf = (name: string): string =>
  name.replace(/^(?=\d)/, 'on-').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const probesAreCalledAsTheirFiles: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const name = /^probes\/(?!index\.ts)(.+)\.ts$/.exec(path)?.[1];
    if (name === undefined) return [];
    const exported = [...text.matchAll(/^export \w+ (\w+)/gm)].map((match) => match[1]);
    const called = /^ {2}name: '(.*)',$/m.exec(text)?.[1];
    return [
      ...(/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) ? [] : [`${path}: name it in kebab case`]),
      ...(called === name ? [] : [`${path}: its probe is called ${called}, call it ${name}`]),
      ...(exported.join() === identifierOf(name)
        ? []
        : [`${path} exports ${exported.join(', ')}: export ${identifierOf(name)} and no more`]),
    ];
  });

/** A title states a fact, without `should`, a leading verb such as `checks`, or a full stop. */
const titlesAreStatements: Rule = (files) =>
  files
    .filter(({ path }) => path.endsWith('.spec.ts'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\btest(?:\.describe)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gs)].flatMap(
        ([, , title = '']) => {
          const wrong =
            /\b(should(n't)?|shall|will|won't)\b/.exec(title)?.[0] ??
            /^(tests?|checks?|verif(y|ies)|ensures?|makes? sure)\b/i.exec(title)?.[0] ??
            /\.$/.exec(title)?.[0];
          return wrong === undefined
            ? []
            : [`${path}: "${title}" has "${wrong}": say in the present tense what is so`];
        },
      ),
    );

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n');

const filesAreShort: Rule = (files) =>
  programs(files)
    .map(({ path, text }) => ({ path, lines: linesOf(text).length }))
    .filter(({ lines }) => lines > mostLines)
    .map(
      ({ path, lines }) =>
        `${path} has ${lines} lines of at most ${mostLines}: a noun is missing, make its file`,
    );

const linesAreNarrow: Rule = (files) =>
  programs(files).flatMap(({ path, text }) => {
    let ticks = 0;
    return linesOf(text).flatMap((line, index) => {
      const insideText = ticks % 2 === 1;
      ticks += line.split(/(?<!\\)`/).length - 1;
      const comment = !insideText && /^\s*(\/\/|\/\*|\*)/.test(line);
      if (line.length <= (comment ? widestComment : widestCode)) return [];
      if (!comment && (insideText || /['"`]|^\s*\//.test(line))) return [];
      return [`${path}:${index + 1} has ${line.length} columns: break the line`];
    });
  });

for (const [what, rule] of [
  ['file and folder names say what they hold', noDumpingGround],
  ['a probe, its file and its export have the same name', probesAreCalledAsTheirFiles],
  ['test titles are statements in the present tense', titlesAreStatements],
  ['files have at most 300 lines', filesAreShort],
  ['lines have at most 100 columns of code', linesAreNarrow],
] as const)
  test(what, () => {
    expect(rule(tree)).toEqual([]);
  });

for (const path of [
  'probes/helpers.ts',
  'contract/utils/text.ts',
  'tests/shared/stage.ts',
  'monitor/page-types.ts',
  'tests/monitor/Common.spec.ts',
  'pacts/misc.json',
])
  test(`${path} is a dumping ground`, () => {
    expect(noDumpingGround([{ path, text: '' }])).toEqual([
      expect.stringContaining('is banned, name the thing that it holds'),
    ]);
  });

test('a name that contains a banned word in another sense is accepted', () => {
  const fine = ['probes/a-field-of-another-type-gets-no-token.ts', 'monitor/uncommon.ts'];
  expect(noDumpingGround(fine.map((path) => ({ path, text: '' })))).toEqual([]);
});

/** The source file of a probe. */
const probe = (file: string, name: string, exported: string) => ({
  path: `probes/${file}.ts`,
  text: `export const ${exported}: Probe = {\n  name: '${name}',\n};\n`,
});

test('a probe whose name differs from its file or its export is found', () => {
  const rule = probesAreCalledAsTheirFiles;
  expect(rule([probe('http-1-0-is-out', 'http-1-0-is-out', 'http10IsOut')])).toEqual([]);
  expect(rule([probe('24-hours', '24-hours', 'on24Hours')])).toEqual([]);
  expect(rule([probe('one', 'another', 'one')])).toEqual([
    'probes/one.ts: its probe is called another, call it one',
  ]);
  expect(rule([probe('one-way', 'one-way', 'oneWayIn')])).toEqual([
    'probes/one-way.ts exports oneWayIn: export oneWay and no more',
  ]);
  expect(rule([probe('oneWay', 'oneWay', 'oneWay')])).toHaveLength(1);
  const { path, text } = probe('one', 'one', 'one');
  expect(rule([{ path, text: `${text}export const two = 2;\n` }])).toHaveLength(1);
});

for (const title of [
  '"a token should be refused"',
  `'should refuse'`,
  '`checks the token`',
  `'a token will be refused'`,
  `'a token is refused.'`,
  `\n  'verify the token'`,
])
  test(`the title ${title.trim()} is not a statement`, () => {
    const text = `test(${title}, () => {});`;
    expect(titlesAreStatements([{ path: 'tests/x/y.spec.ts', text }])).toHaveLength(1);
    expect(titlesAreStatements([{ path: 'tests/x/y.ts', text }])).toEqual([]);
  });

test('a title that only quotes such a word is a statement', () => {
  const text = `test('the meaning of "shoulder" and "willing" is shown', () => {});`;
  expect(titlesAreStatements([{ path: 'tests/x/y.spec.ts', text }])).toEqual([]);
});

test('a file of 301 lines is too long, and one of 300 is not', () => {
  const of = (lines: number) => [{ path: 'contract/x.ts', text: 'x;\n'.repeat(lines) }];
  expect(filesAreShort(of(300))).toEqual([]);
  expect(filesAreShort(of(301))).toEqual([
    'contract/x.ts has 301 lines of at most 300: a noun is missing, make its file',
  ]);
});

test('wide code and wider comments are found, and long texts are allowed', () => {
  const of = (...lines: readonly string[]) =>
    linesAreNarrow([{ path: 'contract/x.ts', text: lines.join('\n') }]);
  const wide = 'x'.repeat(widestCode);
  expect(of(wide)).toEqual([]);
  expect(of('', `${wide}x`)).toEqual(['contract/x.ts:2 has 101 columns: break the line']);
  expect(of(`const text = '${wide}';`, `test("${wide}");`, `  /${wide}/,`)).toEqual([]);
  expect(of('const page = `', `${wide}x`, '`;', `${wide}y`)).toEqual([
    'contract/x.ts:4 has 101 columns: break the line',
  ]);
  const output = 'x'.repeat(widestComment - 3);
  expect(of(`// ${output}`, ` * ${output}`)).toEqual([]);
  expect(of(`// ${output}x`, ` * ${output}x`, `/** '${output}' */`)).toHaveLength(3);
});
