import { expect, test } from '@playwright/test';
import { mustHold } from '../../contract/clauses.ts';
import { faultCases } from '../faults/index.ts';
import { tree, twice } from './tree.ts';

const must: readonly string[] = mustHold.map(({ id }) => id);
const mutants = faultCases.filter(({ area }) => area !== 'VARIANT');

test('every fault has its own name', () => {
  expect(twice(faultCases.map(({ name }) => name))).toEqual([]);
});

test('every clause has a mutant that breaks it', () => {
  const unseen = must.filter(
    (id) => !mutants.some(({ breaks }) => breaks.some((broken) => broken === id)),
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
