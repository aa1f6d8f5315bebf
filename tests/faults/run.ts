import type { MustId } from '../../contract/clauses.ts';
import { judgeProvider } from '../../contract/round/round.ts';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { probes } from '../../probes/index.ts';
import { sandboxInMemory } from './in-memory.ts';
import { type FaultCase, faulty } from './index.ts';

/** The result of the probes for a fault. */
export interface Score {
  readonly fault: FaultCase;
  /** The clauses that are violated. */
  readonly violated: readonly MustId[];
  /** The probes that report it. */
  readonly caughtBy: readonly string[];
  /** A defect of a probe, or why the provider could not be judged. */
  readonly trouble?: string;
}

/** An ordinary moment, so that the result does not depend on the day of the run. */
const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/**
 * Judges the sandbox with a fault switched on, by all probes.
 * @param network over a socket, even if the fault does not need one
 */
export async function judgeFault(fault: FaultCase, network = false): Promise<Score> {
  const behaviour = faulty(fault.name);
  await using sandbox =
    network || fault.socket ? await ownSandbox({ behaviour, startAt }) : undefined;
  const target = sandbox?.target ?? sandboxInMemory(behaviour, startAt);
  const concurrency = fault.alone ? 1 : target.concurrency;
  const { results, clauses, unjudged } = await judgeProvider({ ...target, concurrency }, probes);
  const findings = results.flatMap((result) => result.findings);
  const violated = new Set<string>(findings.map(({ clause }) => clause));
  const caughtBy = new Set(findings.map(({ probe }) => probe));
  const defect = results.find(({ outcome }) => outcome === 'defect')?.detail;
  return {
    fault,
    violated: clauses.map(({ clause }) => clause.id).filter((id) => violated.has(id)),
    caughtBy: probes.map(({ name }) => name).filter((name) => caughtBy.has(name)),
    trouble: defect ?? unjudged,
  };
}

/** The differences from what is expected of a fault: one line for each. */
export function complaints({ fault, violated, caughtBy, trouble }: Score): string[] {
  const lines = trouble === undefined ? [] : [trouble.split('\n')[0] ?? ''];
  const found = violated
    .filter((id) => fault.breaks.includes(id) || !fault.mayBreak.includes(id))
    .sort()
    .join(' ');
  const expected = [...fault.breaks].sort().join(' ');
  if (found === expected) return lines;
  if (expected === '') return [...lines, `falsely violates ${found} by ${caughtBy.join(', ')}`];
  return [...lines, found === '' ? 'survived' : `violates ${found}, expected are ${expected}`];
}

/** If more probes than this catch a mutant, it does not show that any single one of them is needed. */
const fewCatchers = 7;

/** The judging probes that catch no mutant, or only mutants that many others catch. @param scores of all faults */
export function unprovedProbes(scores: readonly Score[]): string[] {
  const proved = new Set(
    scores.flatMap(({ caughtBy }) => (caughtBy.length > fewCatchers ? [] : caughtBy)),
  );
  return probes
    .filter(({ name, clauses }) => !proved.has(name) && clauses.some((id) => !/^OPEN/.test(id)))
    .map(({ name }) => name);
}
