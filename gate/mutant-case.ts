import { judgeProvider, type Round } from '../contract/round/round.ts';
import type { Target } from '../contract/round/target.ts';
import { probes } from '../probes/index.ts';
import { ownSandbox } from '../provider/own-sandbox.ts';
import type { Mutant } from '../sandbox/faults/fault.ts';
import { faulty, mutants, variants } from '../sandbox/faults/index.ts';
import { type Expectation, readExpectations } from './expectations.ts';
import { sandboxInMemory } from './in-memory.ts';

/** A fault, its area, and the expected result. */
export interface MutantCase extends Omit<Mutant, 'make'>, Expectation {
  /** `VARIANT` for what the contract permits. */
  readonly area: string;
}

const expected = readExpectations();

/** The result of the probes for a fault. */
export interface Score extends Expectation {
  readonly mutant: MutantCase;
  /** Other problems: a defect of a probe, or a provider that could not be judged. */
  readonly trouble?: string;
}

/** Every mutant and every variant. */
export const mutantCases: readonly MutantCase[] = [
  ...Object.entries(mutants).flatMap(([area, list]) =>
    list.map(({ make: _, ...mutant }) => ({ area, ...mutant, ...expectationOf(mutant.name) })),
  ),
  ...variants.map(({ make: _, ...variant }) => ({
    area: 'VARIANT',
    ...variant,
    breaks: [],
    caughtBy: [],
  })),
];

function expectationOf(name: string): Expectation {
  return expected[name] ?? { breaks: [], caughtBy: [] };
}

/** An ordinary moment, so that the result does not depend on the day of the run. */
const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/**
 * Judges the sandbox with a fault switched on, by all probes.
 * @param network over a socket, even if the fault does not need one
 */
export async function runMutant(mutant: MutantCase, network: boolean): Promise<Score> {
  const behaviour = faulty(mutant.name);
  if (!network && mutant.connection !== true)
    return judged(mutant, sandboxInMemory(behaviour, startAt));
  await using sandbox = await ownSandbox({ behaviour, startAt });
  return await judged(mutant, sandbox.target);
}

async function judged(mutant: MutantCase, target: Target): Promise<Score> {
  const concurrency = mutant.oneAtATime === true ? 1 : target.concurrency;
  return score(mutant, await judgeProvider({ ...target, concurrency }, probes));
}

function score(mutant: MutantCase, round: Round): Score {
  const findings = round.results.flatMap((result) => result.findings);
  const broken = new Set<string>(findings.map(({ clause }) => clause));
  const caught = new Set(findings.map(({ probe }) => probe));
  const defect = round.results.find(({ outcome }) => outcome === 'defect')?.detail;
  const trouble = defect ?? round.unjudged;
  return {
    mutant,
    breaks: round.clauses.map(({ clause }) => clause.id).filter((id) => broken.has(id)),
    caughtBy: probes.map(({ name }) => name).filter((name) => caught.has(name)),
    trouble,
  };
}
