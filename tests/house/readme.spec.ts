import path from 'node:path';
import { expect, test } from '@playwright/test';
import { clauses } from '../../contract/clauses.ts';
import { paths, type SourceFile, tree } from './tree.ts';

/** README, and all that it must agree with. */
interface House {
  readonly readme: string;
  readonly clauses: readonly { readonly id: string; readonly text: string }[];
  readonly scripts: readonly string[];
  /** Files from the root. */
  readonly paths: readonly string[];
}

/** npm gives these scripts a command of their own. */
const short = ['start', 'test'];

type HouseRule = (house: House) => string[];

/** Markdown escapes a bar in a table, and may mark ids as code or as links. */
const cell = (text = ''): string =>
  text
    .trim()
    .replaceAll('\\|', '|')
    .replace(/^\[([^\]]*)\]\([^)]*\)$/, '$1')
    .replaceAll('`', '');

/** The rows of README's tables that begin with an id. */
const rows = (readme: string): { id: string; text: string }[] =>
  [...readme.matchAll(/^\|(.*)\|[ \t]*$/gm)]
    .map(([, row = '']) => row.split(/(?<!\\)\|/).map(cell))
    .map(([id = '', text = '']) => ({ id, text }))
    .filter(({ id }) => /^[A-Z]+-\d+$/.test(id));

const clausesAreQuoted: HouseRule = ({ readme, clauses: all }) => {
  const table = rows(readme);
  const right = all.map(({ id, text }) => ({ id, text: cell(text) }));
  return [
    ...right
      .filter(({ id, text }) => !table.some((row) => row.id === id && row.text === text))
      .map(({ id, text }) => `README's table of clauses lacks: | ${id} | ${text} |`),
    ...table
      .filter(({ id, text }) => !right.some((one) => one.id === id && one.text === text))
      .map(({ id, text }) => `README has | ${id} | ${text} |: contract/clauses.ts says otherwise`),
    ...(table.map(({ id }) => id).join() === right.map(({ id }) => id).join()
      ? []
      : ["README's clauses are not those of contract/clauses.ts, each once and in that order"]),
  ];
};

/** `npm run x`, also behind `npm ci &&`; options of npm's own may stand between. */
const scriptsNamed = (readme: string): string[] => [
  ...[...readme.matchAll(/\bnpm run (?:-\S+ )*([\w:.-]*\w)/g)].map(([, name = '']) => name),
  ...short.filter((name) => new RegExp(`\\bnpm ${name}\\b`).test(readme)),
];

const scriptsAreTold: HouseRule = ({ readme, scripts }) => {
  const named = scriptsNamed(readme);
  return [
    ...[...new Set(named)]
      .filter((name) => !scripts.includes(name))
      .map((name) => `README runs ${name}, which package.json does not have: write it, or mend it`),
    ...scripts
      .filter((name) => !named.includes(name))
      .map((name) => `package.json has ${name}, which README does not tell of: tell what it does`),
  ];
};

/** GitHub's anchor of a heading: small letters, blanks as hyphens, other signs gone. */
const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

const linksLeadSomewhere: HouseRule = ({ readme, paths: known }) => {
  const prose = readme.replaceAll(/^```.*?^```/gms, '');
  const anchors = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
  const links = [
    ...[...prose.matchAll(/\]\(\s*<?([^)\s>]+)/g)],
    ...[...prose.matchAll(/\b(?:src|srcset|href)="([^"\s]+)/g)],
    ...[...prose.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)],
  ].map(([, link = '']) => link);
  return [...new Set(links)]
    .filter((link) => !/^[a-z][a-z+.-]*:|^\/\//i.test(link))
    .flatMap((link) => {
      const [place = '', anchor] = decodeURI(link).split('#');
      const file = path.posix.normalize(place).replace(/^\.?\/|\/$/g, '');
      const there = known.some((one) => one === file || one.startsWith(`${file}/`));
      if (place !== '' && !there) return [`README leads to ${link}: no such file is committed`];
      return place === '' && anchor !== undefined && !anchors.includes(anchor)
        ? [`README leads to ${link}: it has no such heading`]
        : [];
    });
};

const textOf = (name: string): string =>
  tree.find((file: SourceFile) => file.path === name)?.text ?? '';

const manifest: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'));

const house: House = {
  readme: textOf('README.md'),
  clauses,
  scripts: Object.keys(manifest.scripts),
  paths,
};

for (const [what, rule] of [
  ["README's table of clauses is that of the code", clausesAreQuoted],
  ['README tells of every script, and of no other', scriptsAreTold],
  ["README's links and pictures lead somewhere", linksLeadSomewhere],
] as const)
  test(what, () => {
    expect(rule(house)).toEqual([]);
  });

/** What a rule says about a made-up README. */
const of = (rule: HouseRule, ...lines: readonly string[]): string[] =>
  rule({
    readme: lines.join('\n'),
    clauses: [
      { id: 'TOKEN-1', text: 'One `a` | b' },
      { id: 'TOKEN-2', text: 'Two' },
    ],
    scripts: ['start', 'gate'],
    paths: ['docs/page.png', 'LICENSE'],
  });

const one = '| TOKEN-1 | One `a` \\| b | Errors |';
const two = '| [`TOKEN-2`](#two) | Two | Errors |';

test('a clause that README omits, changes, invents or moves is found', () => {
  const head = ['| id | what holds | from |', '|---|---|---|'];
  expect(of(clausesAreQuoted, ...head, one, two)).toEqual([]);
  expect(of(clausesAreQuoted, ...head, one)).toContain(
    "README's table of clauses lacks: | TOKEN-2 | Two |",
  );
  expect(of(clausesAreQuoted, ...head, one, two.replace('Two', 'Too'))).toContain(
    'README has | TOKEN-2 | Too |: contract/clauses.ts says otherwise',
  );
  expect(of(clausesAreQuoted, ...head, one, two, '| TOKEN-3 | Three |')).toHaveLength(2);
  expect(of(clausesAreQuoted, ...head, two, one)).toHaveLength(1);
  expect(of(clausesAreQuoted, ...head, one, two, two)).toHaveLength(1);
});

test('a script that README invents or omits is found', () => {
  expect(of(scriptsAreTold, '`npm ci && npm start`, `npm run gate -- EXPIRY`.')).toEqual([]);
  expect(of(scriptsAreTold, '`npm start`')).toEqual([
    'package.json has gate, which README does not tell of: tell what it does',
  ]);
  expect(of(scriptsAreTold, '`npm start`, `npm run -s gate`, `npm run gates`')).toEqual([
    'README runs gates, which package.json does not have: write it, or mend it',
  ]);
});

test('a link to a missing file, picture or heading is found', () => {
  const rule = linksLeadSomewhere;
  expect(of(rule, '# How it is built', '[a](#how-it-is-built) ![b](docs/page.png)')).toEqual([]);
  expect(of(rule, '[a](./LICENSE) <img src="docs/page.png"> [b](docs)')).toEqual([]);
  expect(of(rule, '[a](https://example.com/x) [b](mailto:a@example.com)')).toEqual([]);
  expect(of(rule, '```', '[a](nowhere.md)', '```')).toEqual([]);
  for (const broken of [
    '[a](nowhere.md)',
    '![a](docs/pages.png)',
    '<img src="docs/other.png" alt="">',
    '<source srcset="docs/dark.png">',
    '[a]: nowhere.md',
    '[a](#nowhere)',
  ])
    expect(of(rule, broken)).toEqual([expect.stringMatching(/^README leads to .*: /)]);
});
