import { expect, test } from '@playwright/test';
import { clauses } from '../../contract/clauses.ts';
import { type Call, right, type ServiceState } from '../../sandbox/behaviour.ts';
import { faultCases, faulty } from '../faults/index.ts';
import { tree, twice } from './tree.ts';

const must: readonly string[] = clauses.filter(({ level }) => level === 'must').map(({ id }) => id);
const mutants = faultCases.filter(({ area }) => area !== 'VARIANT');

test('every fault has its own name', () => {
  expect(twice(faultCases.map(({ name }) => name))).toEqual([]);
});

test('every clause has a mutant that breaks it', () => {
  const unseen = must.filter(
    (id) => !mutants.some(({ breaks }) => breaks.some((one) => one === id)),
  );
  expect(unseen, 'it has never been seen violated: write a mutant').toEqual([]);
});

test('documents state in round numbers how many mutants and variants there are', () => {
  // A changelog states the numbers of its time.
  const stated = tree
    .filter(({ path }) => path.endsWith('README.md'))
    .flatMap(({ path, text }) =>
      [
        ...text.matchAll(/\b(\d+)\s(?:permitted\s)?(faults|variants) (?:of the sandbox|may be)/g),
      ].map(([, count, noun = '']) => ({ path, noun, count: Number(count) })),
    );
  expect(stated.length).toBeGreaterThan(1);
  for (const { path, noun, count } of stated) {
    const actual = noun === 'faults' ? mutants.length : faultCases.length - mutants.length;
    expect(actual, `${path}: ${noun}`).toBeGreaterThanOrEqual(count);
    expect(actual, `${path}: ${noun}`).toBeLessThan(1.5 * count);
  }
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
  const finders = mutants.filter(
    ({ name, area }) => area === 'BEARER' && faulty(name).find !== right.find,
  );
  expect(finders.length).toBeGreaterThan(15);
  for (const { name } of finders) expect([0, 200], name).toContain(foundInAnotherCase(name));
});
