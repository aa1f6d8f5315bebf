import { expect, test } from '@playwright/test';
import { clauses } from '../../contract/clauses.ts';
import { readExpectations } from '../../gate/expectations.ts';
import { mutantCases } from '../../gate/mutant-case.ts';
import { probes } from '../../probes/index.ts';
import type { Call, ServiceState } from '../../sandbox/behaviour.ts';
import { faulty, mutants, variants } from '../../sandbox/faults/index.ts';
import { tree, twice } from './tree.ts';

/** If more probes than this catch a mutant, it does not show that any single one of them is needed. */
const fewCatchers = 7;
const must: readonly string[] = clauses.filter(({ level }) => level === 'must').map(({ id }) => id);
/** The probes that judge. A probe that only observes reports no violation. */
const judging = probes
  .filter(({ clauses: about }) => about.some((id) => !id.startsWith('OPEN-')))
  .map(({ name }) => name);
const cases = mutantCases.filter(({ area }) => area !== 'VARIANT');
const expectations = readExpectations();
const update = 'run npm run mutants -- --update';

test('every probe that judges catches a mutant that few others catch', () => {
  const few = cases.filter(({ caughtBy }) => caughtBy.length <= fewCatchers);
  const unproved = judging.filter((name) => !few.some(({ caughtBy }) => caughtBy.includes(name)));
  expect(unproved, 'write a mutant for it').toEqual([]);
});

test('every fault has its own name and meaning', () => {
  const all = [...cases, ...variants];
  expect(twice(all.map(({ name }) => name))).toEqual([]);
  expect(twice(all.map(({ means }) => means))).toEqual([]);
});

test('every mutant names existing clauses and probes, and breaks a clause of its area', () => {
  const wrong = cases.flatMap(({ area, name, breaks, caughtBy }) => [
    ...(caughtBy.length > 0 ? [] : [`${name} is caught by no probe: write one, and ${update}`]),
    ...caughtBy.filter((one) => !judging.includes(one)).map((one) => `${name}: no probe ${one}`),
    ...breaks.filter((id) => !must.includes(id)).map((id) => `${name}: no clause ${id}`),
    ...(breaks.some((id) => id.startsWith(`${area}-`))
      ? []
      : [`${name} breaks no ${area} clause: move it to the area of a clause that it breaks`]),
    ...twice([...breaks, ...caughtBy]).map((one) => `${name} names ${one} twice`),
  ]);
  expect(wrong).toEqual([]);
});

test('every clause has a mutant that breaks it', () => {
  const unseen = must.filter((id) => !cases.some(({ breaks }) => breaks.some((one) => one === id)));
  expect(unseen, 'it has never been seen violated: write a mutant').toEqual([]);
});

test('every expectation belongs to an existing mutant', () => {
  const names = cases.map(({ name }) => name);
  const gone = Object.keys(expectations).filter((name) => !names.includes(name));
  expect(gone, update).toEqual([]);
});

test('documents state how many mutants and variants there are', () => {
  // A changelog states the numbers of its time.
  const stated = tree
    .filter(({ path }) => path.endsWith('README.md'))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(/\b(\d+)\s(?:permitted\s)?(faults|variants) (?:of the sandbox|may be)/g),
      ].map(([, count, noun = '']) => ({ path, noun, count: Number(count) })),
    );
  expect(stated.length).toBeGreaterThan(1);
  for (const { path, noun, count } of stated)
    expect(count, `${path}: ${noun}`).toBe(noun === 'faults' ? cases.length : variants.length);
});

const call: Call = {
  method: 'GET',
  path: '/public-api/v1/widgets',
  query: new URLSearchParams(),
  url: '/public-api/v1/widgets',
  headers: {},
  rawHeaders: [],
  body: '',
  httpVersion: '1.1',
  connection: {},
  now: 0,
};

/** How many of 200 tokens a mutant also accepts in lower case or in upper case. */
function foundInAnotherCase(name: string): number {
  const behaviour = faulty(name);
  const texts = Array.from({ length: 200 }, () => {
    const account = { apiKey: '', secretKey: '' };
    const state: ServiceState = { account, resources: [], tokens: new Map(), memo: new Map() };
    const text = behaviour.mint(state, 0);
    behaviour.keep({ text, madeAt: 0, memo: new Map() }, state);
    behaviour.find(text, state, call);
    return [text.toLowerCase(), text.toUpperCase()].filter(
      (other) => other !== text && behaviour.find(other, state, call) !== undefined,
    );
  });
  return texts.filter((found) => found.length > 0).length;
}

test('the outcome of a mutant that confuses re-cased tokens does not depend on chance', () => {
  const finders = mutants.BEARER.filter(({ make }) => make().find !== undefined);
  expect(finders.length).toBeGreaterThan(20);
  for (const { name } of finders) {
    const caught = expectations[name]?.caughtBy.includes('a-re-cased-token-is-refused');
    expect(foundInAnotherCase(name), name).toBe(caught ? 200 : 0);
  }
});
