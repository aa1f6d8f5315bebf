import { expect, test } from '@playwright/test';
import { programs, type Rule, tree } from './tree.ts';

/** Words that make a sentence hard to read, with what to write instead. */
const prose: Readonly<Record<string, string>> = {
  whoever: 'name the actor: "the caller", "the reader"',
  nobody: 'name the actor, or negate the verb: "no client", "is not read"',
  somebody: 'name the actor: "a user", "another process"',
  'otherwise than': '"differently from", "other than", "not as"',
  'so many': 'the number or its name: "`count` requests"',
  'goes by': '"uses", "follows"',
  'stands in': '"is in", "replaces"',
};

/** Names of values, functions and types that say too little, with better ones. */
const names: Readonly<Record<string, string>> = {
  told: '"formatted" or "reported"',
  tell: '"report" or "print"',
  said: '"message" or "output"',
  heard: '"received"',
  asked: '"request" or "options"',
  nobody: 'what the value is',
  'Door|Wire|Shot|Passage': '"ApiClient", "Connection", "HttpRequest", "TracedClient"',
  'Hearing|Trial|Gauge': '"RoundVerdicts", "MutantCase", "ProviderUnderTest"',
  'Bench|Circumstances|Loan|Equipment|Aviary|Surroundings': '"…Context"',
  'Nest|Keeper|ladder|logbook': '"CanaryStore", "CanaryMonitor", "checkTimes", "checkLog"',
  'Chronicle|Standing|Memory|Veil':
    '"RunRecorder", "ContractStatus", "PersistedTarget", "SecretPlaceholders"',
  'atOnce|patienceMs|perSecond': '"concurrency", "maxRetryAfterMs", "requestsPerSecond"',
  'seldom|agenda|entrance|detour': '"throttle", "priorityQueue", "accessControl", "pathVariant"',
  'CannotOpen|NotNew|NotGiven|Unfit|Undelivered': 'the name of an error: "…Error"',
};

/** The names of provider states in published pacts, which others use. */
const states = /\b(?:a token|credentials) of nobody\b/g;

const position = (path: string, text: string, index: number): string =>
  `${path}:${text.slice(0, index).split('\n').length}`;

/** Also over the end of a line of a comment. */
const proseIsPlain: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const own = text.replace(states, (state) => ' '.repeat(state.length));
    return Object.entries(prose).flatMap(([word, instead]) =>
      [...own.matchAll(RegExp(`(?<![\\w-])${word.replace(' ', '[\\s*/#]+')}(?![\\w-])`, 'gi'))].map(
        ({ index }) => `${position(path, text, index)} has "${word}": write ${instead}`,
      ),
    );
  });

/** Comments and quoted texts, which hold no declarations. */
const quoted = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

const namesArePlain: Rule = (files) =>
  programs(files).flatMap(({ path, text }) => {
    const code = text.replace(quoted, (part) => part.replace(/[^\n]/g, ' '));
    return Object.entries(names).flatMap(([words, instead]) =>
      [
        ...code.matchAll(
          RegExp(
            `\\b(?:const|let|function|class|interface|type) (${words})\\b|\\((${words})\\??: `,
            'g',
          ),
        ),
      ].map(
        ({ 1: name, 2: parameter, index }) =>
          `${position(path, text, index)} declares "${name ?? parameter}": write ${instead}`,
      ),
    );
  });

/** A title begins with its subject, and so with no pronoun, conjunction or preposition. */
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
  ['titles of tests begin with their subject', titlesHaveASubject],
] as const)
  test(what, () => {
    expect(rule(tree.filter(({ path }) => path !== 'tests/house/language.spec.ts'))).toEqual([]);
  });

const source = (text: string, path = 'contract/x.ts') => [{ path, text }];

test('hard words are found in comments, texts and documents, also across lines', () => {
  expect(proseIsPlain(source('/** A pause.\n * Whoever waits, waits. */'))).toEqual([
    'contract/x.ts:2 has "whoever": write name the actor: "the caller", "the reader"',
  ]);
  expect(proseIsPlain(source('const text = `asked by nobody`;'))).toHaveLength(1);
  expect(proseIsPlain(source('// Waits for so\n// many requests.'))).toHaveLength(1);
  expect(proseIsPlain(source('It goes by its name.', 'gate/README.md'))).toHaveLength(1);
});

test('names of probes, faults and provider states keep their words', () => {
  const fixed = `'a-storm-of-refusals-lets-nobody-in', 'a token of nobody', 'credentials of nobody'`;
  expect(proseIsPlain(source(fixed))).toEqual([]);
});

test('hard names are found where they are declared, and not in texts', () => {
  expect(namesArePlain(source('\nconst told = 1;'))).toEqual([
    'contract/x.ts:2 declares "told": write "formatted" or "reported"',
  ]);
  expect(namesArePlain(source('const f = (asked: string) => {};'))).toHaveLength(1);
  expect(namesArePlain(source('export interface Door {}'))).toHaveLength(1);
  expect(namesArePlain(source(`'const told'; // const said\n({ asked: 1 });`))).toEqual([]);
});

test('a title without a subject is found', () => {
  expect(titlesHaveASubject(source(`test('so is one in the query', run);`))).toEqual([
    'contract/x.ts:1 "so is one in the query" has no subject: begin with what is tested, "a token … is refused"',
  ]);
  expect(titlesHaveASubject(source('test(`it refuses a token`, run);'))).toHaveLength(1);
  expect(titlesHaveASubject(source(`test('a token is refused', run);`))).toEqual([]);
});
