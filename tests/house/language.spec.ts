import { expect, test } from '@playwright/test';
import { programs, type Rule, tree } from './tree.ts';

/** Words that make a sentence hard to read, and what to write instead. */
const prose: Readonly<Record<string, string>> = {
  whoever: 'name the actor: "the caller", "the reader"',
  nobody: 'name the actor, or negate the verb: "no client", "is not read"',
  somebody: 'name the actor: "a user", "another process"',
  'otherwise than': '"differently from", "other than", "not as"',
  'so many': 'the number or its name: "`count` requests"',
  'goes by': '"uses", "follows"',
  'stands in': '"is in", "replaces"',
  told: '"reported", "printed", "called with"',
  'accuses?|accused': '"reports a violation of"',
  'rests? upon|hangs? upon': '"depends on"',
  'takes? leave of': '"closes"',
  '(?:become|becomes|became) otherwise': '"changes", "changed"',
  'the door': 'the name: "the client", "the guard"',
};

/** Vague names of values, functions and types, and better ones. */
const names: Readonly<Record<string, string>> = {
  'Door|Wire|Shot|Passage|door|shot': '"ApiClient", "Connection", "HttpRequest", "TracedClient"',
  'Hearing|Trial|Gauge|hearing': '"RoundVerdicts", "MutantCase", "ProviderUnderTest"',
  'Bench|Circumstances|Loan|Equipment|Aviary|Surroundings': '"…Context"',
  'Nest|Keeper|ladder|logbook': '"CanaryStore", "CanaryMonitor", "checkTimes", "checkLog"',
  'Chronicle|Standing|Memory|Veil':
    '"RunRecorder", "ContractStatus", "PersistedTarget", "SecretPlaceholders"',
  'atOnce|patienceMs|perSecond': '"concurrency", "maxRetryAfterMs", "requestsPerSecond"',
  'seldom|agenda|entrance|detour': '"throttle", "priorityQueue", "accessControl", "pathVariant"',
  'Ask|Own|Look|Seen|Kept|Shown|Known|Given|Unsaid|Way|Ending':
    'a noun: "CallOptions", "TerminalStyle", "KeptToken"',
  'CannotOpen|NotNew|NotGiven|Unfit|Undelivered': 'the name of an error: "…Error"',
};

/** Words that are too vague in any name, also in the name of a file. */
const words: Readonly<Record<string, string>> = {
  told: '"formatted" or "reported"',
  'tell|tells|telling': '"report", "print" or what is printed',
  said: '"message" or "output"',
  heard: '"received"',
  'ask|asks|asked|asking': '"request", "send" or "options"',
  circumstances: '"context" or "conditions"',
  'nobody|somebody|whoever': 'what the value is',
  'unlike|because|straight': '"control", "reason", "authorised"',
  'gather|gathered|lack': 'what is read, collected or missing',
};

/** The additional words are too vague only in the name of a file; in code they are clear enough. */
const wordsOfFiles: Readonly<Record<string, string>> = {
  ...words,
  'given|looks|hear|say': 'the noun that is in it: "issued-tokens", "run-attempts"',
};

/** Published names, which are in reports, metrics and the state of monitors. */
const publishedFiles = ['probes/a-storm-of-refusals-lets-nobody-in.ts'];

/** Fields of published reports, where each is declared. */
const publishedFields = [
  'contract/finding.ts asked',
  'monitor/schedule/tally.ts because',
  'pacts/verify/verification.ts asked',
];

/** The names of provider states in published pacts, which other projects use. */
const states = /\b(?:a token|credentials) of nobody\b/g;

const position = (path: string, text: string, index: number): string =>
  `${path}:${text.slice(0, index).split('\n').length}`;

/** Finds a phrase also if it continues on the next line of a comment. */
const proseIsPlain: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const own = text.replace(states, (state) => ' '.repeat(state.length));
    return Object.entries(prose).flatMap(([word, instead]) =>
      [
        ...own.matchAll(
          RegExp(`(?<![\\w-])(?:${word.replaceAll(' ', '[\\s*/#]+')})(?![\\w-])`, 'gi'),
        ),
      ].map(
        ({ 0: found, index }) =>
          `${position(path, text, index)} has "${found.replace(/[\s*/#]+/g, ' ')}": write ${instead}`,
      ),
    );
  });

/** Comments and quoted texts, which contain no declarations. */
const quoted = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

/** A declared name: after a keyword, as a parameter, or as the alias of a part of an object or a list. */
const declarations = [
  /\b(?:const|let|function|class|interface|type) (\w+)/g,
  /(?<=[(,;{]\s*(?:\.{3})?)(\w+)\??: (?=string|number|boolean|unknown|readonly|[A-Z]\w*\W)/g,
  /(?<=\((?:[\w, ]*, )?)(\w+)(?=(?:, [\w, ]*)?\) =>)/g,
  /(?<=(?:const|let) [^;=]*\w: |\(\{[^()]*\w: |(?:const|let) \[(?:\w+, )*)(\w+)(?=[ ,}\]])/g,
] as const;

/** A declared field or method. */
const members = [
  /(?<=\breadonly |^ +#?)(\w+)(?=\??: .+;$)/gm,
  /(?<=^ +(?:static |async )*#?)(\w+)(?=\([^()]*\)(?:: [^;]+)? ?[{;]$)/gm,
] as const;

/** `toldOf` has the words `told` and `of`. */
const wordsIn = (name: string): readonly string[] =>
  name.split(/(?=[A-Z])|[^A-Za-z]+/).map((word) => word.toLowerCase());

/** What to write instead of a name that is vague or contains a vague word. */
function betterName(name: string, hard: Readonly<Record<string, string>>): string | undefined {
  const parts = wordsIn(name);
  const found =
    Object.entries(names).find(([list]) => list.split('|').includes(name)) ??
    Object.entries(hard).find(([list]) => list.split('|').some((word) => parts.includes(word)));
  return found?.[1];
}

const namesArePlain: Rule = (files) =>
  programs(files)
    .filter(({ path }) => !path.startsWith('probes/'))
    .flatMap(({ path, text }) => {
      const code = text.replace(quoted, (part) => part.replace(/[^\n]/g, ' '));
      const found = new Map<number, string>();
      for (const pattern of [...declarations, ...members])
        for (const match of code.matchAll(pattern)) {
          const [whole, name = ''] = match;
          if (publishedFields.includes(`${path} ${name}`)) continue;
          found.set(match.index + whole.indexOf(name), name);
        }
      return [...found].flatMap(([index, name]) => {
        const instead = betterName(name, words);
        return instead === undefined
          ? []
          : [`${position(path, text, index)} declares "${name}": write ${instead}`];
      });
    });

const fileNamesArePlain: Rule = (files) =>
  programs(files)
    .filter(({ path }) => !publishedFiles.includes(path))
    .flatMap(({ path }) => {
      const [name = ''] = path.split('/').at(-1)?.split('.') ?? [];
      const instead = betterName(name, wordsOfFiles);
      return instead === undefined ? [] : [`${path}: name it after ${instead}`];
    });

/** A title begins with its subject, so it does not begin with a pronoun, conjunction or preposition. */
const titlesHaveASubject: Rule = (files) =>
  programs(files).flatMap(({ path, text }) =>
    [
      ...text.matchAll(
        /\btest\(\s*['"`]((?:so|also|and|but|or|neither|nor|none|it|its|they|them|he|who|that|this|these|those|one|ones|what|where|when|while|if|as|of|with|without|in|on|by|for|to|until|after|before)\b[^'"`\n]*)/gi,
      ),
    ].map(
      ({ 1: title, index }) =>
        `${position(path, text, index)} "${title}" has no subject: begin with what is tested, "a token … is refused"`,
    ),
  );

for (const [what, rule] of [
  ['prose is plain', proseIsPlain],
  ['names are plain', namesArePlain],
  ['names of files are plain', fileNamesArePlain],
  ['titles of tests begin with their subject', titlesHaveASubject],
] as const)
  test(what, () => {
    expect(rule(tree.filter(({ path }) => path !== 'tests/house/language.spec.ts'))).toEqual([]);
  });

const source = (text: string, path = 'contract/x.ts') => [{ path, text }];

test('hard words are found in comments, texts and documents, also across lines', () => {
  expect(proseIsPlain(source('/** A pause.\n * Whoever waits, waits. */'))).toEqual([
    'contract/x.ts:2 has "Whoever": write name the actor: "the caller", "the reader"',
  ]);
  expect(proseIsPlain(source('const text = `asked by nobody`;'))).toHaveLength(1);
  expect(proseIsPlain(source('// Waits for so\n// many requests.'))).toHaveLength(1);
  expect(proseIsPlain(source('It goes by its name.', 'gate/README.md'))).toHaveLength(1);
  for (const sentence of [
    'It is told once.',
    'It accuses no one.',
    'It hangs upon the day.',
    'It became otherwise.',
    "The door's file.",
  ])
    expect(proseIsPlain(source(`// ${sentence}`)), sentence).toHaveLength(1);
});

test('names of probes, faults and provider states keep their words', () => {
  const fixed = `'a-storm-of-refusals-lets-nobody-in', 'a token of nobody', 'credentials of nobody'`;
  expect(proseIsPlain(source(fixed))).toEqual([]);
});

test('hard names are found where they are declared, and not in texts', () => {
  expect(namesArePlain(source('\nconst told = 1;'))).toEqual([
    'contract/x.ts:2 declares "told": write "formatted" or "reported"',
  ]);
  for (const code of [
    'const f = (asked: string) => {};',
    'const f = (one: number, asked: Arguments) => {};',
    'const f = (one, asked) => {};',
    'const f = (...asked: Parameters) => {};',
    'const f = (): { one: number; asked: string[] } => {};',
    'const f = ({ request: asked }: Answer) => {};',
    'const { request: asked } = answer;',
    'const [one, asked] = list;',
    'export interface Door {}',
    'function toldOf() {}',
    'class WhateverWasSaid {}',
    'interface Schedule {\n  readonly because?: Cause;\n}',
    'class Answer {\n  #heard: string;\n}',
    'class Answer {\n  tell(): number {',
  ])
    expect(namesArePlain(source(code)), code).toHaveLength(1);
  expect(namesArePlain(source(`'const told'; // const said\n({ asked: 1 });`))).toEqual([]);
  expect(namesArePlain(source('  readonly asked: string;', 'contract/finding.ts'))).toEqual([]);
  expect(namesArePlain(source('const { asked } = finding; const total = asked;'))).toEqual([]);
});

test('hard names of files are found, and published names are kept', () => {
  expect(fileNamesArePlain(source('', 'monitor/probe/told.ts'))).toEqual([
    'monitor/probe/told.ts: name it after "formatted" or "reported"',
  ]);
  for (const path of ['gate/ask.ts', 'gate/given-tokens.ts', 'tests/judge/telling.spec.ts'])
    expect(fileNamesArePlain(source('', path)), path).toHaveLength(1);
  const fine = ['contract/round/issued-tokens.ts', ...publishedFiles, 'gate/told.json'];
  expect(fine.flatMap((path) => fileNamesArePlain(source('', path)))).toEqual([]);
});

test('a title without a subject is found', () => {
  expect(titlesHaveASubject(source(`test('so is one in the query', run);`))).toEqual([
    'contract/x.ts:1 "so is one in the query" has no subject: begin with what is tested, "a token … is refused"',
  ]);
  expect(titlesHaveASubject(source('test(`it refuses a token`, run);'))).toHaveLength(1);
  expect(titlesHaveASubject(source(`test('a token is refused', run);`))).toEqual([]);
});
