import { readFileSync, writeFileSync } from 'node:fs';

/** The expected result of a mutant: exactly these clauses and probes. */
export interface Expectation {
  /** The clauses that are violated. */
  readonly breaks: readonly string[];
  /** The probes that report it. */
  readonly caughtBy: readonly string[];
}

/** By the name of the mutant, in the order of the sandbox's list. */
export type Expectations = Readonly<Record<string, Expectation>>;

const file = new URL('../tests/mutants.json', import.meta.url);

/** The expectations that are committed. */
export const readExpectations = (): Expectations => JSON.parse(readFileSync(file, 'utf8'));

/** Writes the expectations of these mutants in this order, to be reviewed as a diff. */
export function writeExpectations(expectations: Expectations): void {
  writeFileSync(file, `${JSON.stringify(expectations, null, 2)}\n`);
}
