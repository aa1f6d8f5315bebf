import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestError } from '@playwright/test/reporter';

/** The result of a step of `npm test`. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
  /** Tests that a missing program or an earlier failure kept from running. */
  readonly skipped: number;
  /** Which tests failed and how, in a few lines each. They are repeated at the end of a long output. */
  readonly failures: readonly string[];
  /** Why tests did not run, and how many for each reason: the skipped ones, and those that are left for a night. */
  readonly reasons: ReadonlyMap<string, number>;
}

/** Why `npm test` does not run a test. */
export const leftForNight = 'only npm run test:nightly runs it';

/** A test after its run. */
export type Tried = Pick<TestCase, 'title' | 'location' | 'annotations' | 'results' | 'outcome'>;

/**
 * Counts the tests of a run. Errors outside of any test, such as a file that cannot be loaded, are failures too.
 * @param folder of the spec files
 */
export function countOf(
  folder: string,
  tests: readonly Tried[],
  errors: readonly TestError[],
): Count {
  const { expected = [], skipped = [], ...bad } = Object.groupBy(tests, (test) => test.outcome());
  const wrong = Object.values(bad).flat();
  const whys = Map.groupBy(skipped, reasonOf);
  return {
    passed: expected.length,
    failed: wrong.length + errors.length,
    skipped: skipped.length - (whys.get(leftForNight)?.length ?? 0),
    failures: [
      // `setup/setup.spec.ts:31 a machine without apt-get …: Error: expected …`
      ...wrong.map(({ title, location: { file, line }, results }) => {
        const message = results.flatMap(({ errors }) => errors).at(0)?.message;
        return `${path.relative(folder, file)}:${line} ${title}: ${inShort(message)}`;
      }),
      ...errors.map(({ message }) => `outside of any test: ${inShort(message)}`),
    ],
    reasons: new Map([...whys].map(([why, all]) => [why, all.length])),
  };
}

/** Several steps as one. */
export function sum(counts: readonly Count[]): Count {
  const reasons = new Map<string, number>();
  for (const [why, tests] of counts.flatMap((count) => [...count.reasons]))
    reasons.set(why, (reasons.get(why) ?? 0) + tests);
  const add = (of: (count: Count) => number): number =>
    counts.reduce((total, count) => total + of(count), 0);
  return {
    passed: add(({ passed }) => passed),
    failed: add(({ failed }) => failed),
    skipped: add(({ skipped }) => skipped),
    failures: counts.flatMap(({ failures }) => failures),
    reasons,
  };
}

/** The closing line: `120 passed, 0 failed, 3 skipped`. */
export function closingLine({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** 1 when a test failed, when none ran, or when CI requires all tests and some were skipped. */
export function exitCode({ passed, failed, skipped }: Count, ci: boolean): 0 | 1 {
  return failed > 0 || passed === 0 || (ci && skipped > 0) ? 1 : 0;
}

/** Enough lines to show what was expected and received, if these are short. */
const mostLines = 12;

function inShort(message = 'no error was reported'): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['…'] : [])].join('\n');
}

function reasonOf({ annotations }: Tried): string {
  const skip = annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  return (
    skip?.description ?? 'the run ended before them, or an earlier failure kept them from running'
  );
}
