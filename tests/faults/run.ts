import type { MustId } from '../../contract/clauses.ts';
import { targetAt } from '../../gate/under-test.ts';
import { probes } from '../../probes/index.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { judgeProvider } from '../judge/judge-provider.ts';
import { sandboxInMemory } from './in-memory.ts';
import { type FaultCase, faulty } from './index.ts';

/** The result of the probes for a fault. */
export interface Score {
  readonly fault: FaultCase;
  /** The clauses that are violated. */
  readonly violated: readonly MustId[];
  /** The probes that report it. */
  readonly caughtBy: readonly string[];
  /** What is not as expected: a line for each difference, and for a defect of a probe. */
  readonly complaints: readonly string[];
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
    network || fault.socket ? await startSandbox({ behaviour, startAt }) : undefined;
  const target = sandbox ? targetAt(sandbox.baseUrl) : sandboxInMemory(behaviour, startAt);
  const concurrency = fault.alone ? 1 : target.concurrency;
  const { results, clauses, unjudged } = await judgeProvider({ ...target, concurrency }, probes);
  const findings = results.flatMap((result) => result.findings);
  const clausesFound = new Set<string>(findings.map(({ clause }) => clause));
  const probesFound = new Set(findings.map(({ probe }) => probe));
  const violated = clauses.map(({ clause }) => clause.id).filter((id) => clausesFound.has(id));
  const caughtBy = probes.map(({ name }) => name).filter((name) => probesFound.has(name));
  const defect = results.find(({ outcome }) => outcome === 'defect')?.detail;
  const [trouble] = (defect ?? unjudged)?.split('\n') ?? [];
  const complaints = [trouble, difference(fault, violated, caughtBy)];
  return { fault, violated, caughtBy, complaints: complaints.filter((line) => line !== undefined) };
}

function difference(
  { breaks }: FaultCase,
  violated: readonly MustId[],
  caughtBy: readonly string[],
): string | undefined {
  if ([...violated].sort().join() === [...breaks].sort().join()) return undefined;
  if (breaks.length === 0)
    return `falsely violates ${violated.join(' ')} by ${caughtBy.join(', ')}`;
  return violated.length === 0 ? 'survived' : `violates ${violated}, expected are ${breaks}`;
}

/** If more probes than this catch a mutant, it does not show that any single one of them is needed. */
const fewCatchers = 7;

/** The judging probes that catch no mutant, or only mutants that many others catch. @param scores of all faults */
export function unprovedProbes(scores: readonly Score[]): string[] {
  const few = scores.filter(({ caughtBy }) => caughtBy.length <= fewCatchers);
  const proved = new Set(few.flatMap(({ caughtBy }) => caughtBy));
  const judging = probes.filter(({ clauses }) => clauses.some((id) => !id.startsWith('OPEN')));
  return judging.map(({ name }) => name).filter((name) => !proved.has(name));
}
