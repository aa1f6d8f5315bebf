import type { Outcome } from './attempt.ts';
import { type Clause, type MustId, mustHold } from './clauses.ts';
import type { Finding, Observation } from './finding.ts';
import type { Probe } from './probe.ts';

/** What is known of one clause after a round. */
export interface ClauseVerdict {
  readonly clause: Clause<MustId>;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** Why it is unverified. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/**
 * The verdict on each clause that the probes are about, and on each that they found broken on the way.
 * A clause holds only when all of its probes ran to their end and proved it.
 * @param probes all that were asked for, also those that could not run; @param notRun why some of them did not
 * @param endpoints on how many of them each probe was due to run
 */
export function verdicts(
  probes: readonly Probe[],
  outcomes: readonly Outcome[],
  notRun: string,
  endpoints = 1,
): ClauseVerdict[] {
  const findings = outcomes.flatMap((outcome) => outcome.findings);
  return mustHold.flatMap((clause): ClauseVerdict[] => {
    const broken = findings.filter((finding) => finding.clause === clause.id);
    if (broken.length > 0) return [{ clause, verdict: 'violated', findings: broken }];
    const about = probes.filter((probe) => probe.clauses.includes(clause.id));
    if (about.length === 0) return [];
    const reason = about
      .map((probe) => whyUnverified(probe, outcomes, notRun, endpoints))
      .find((why) => why !== undefined);
    return [
      reason === undefined
        ? { clause, verdict: 'holds', findings: [] }
        : { clause, verdict: 'unverified', reason, findings: [] },
    ];
  });
}

function whyUnverified(
  probe: Probe,
  outcomes: readonly Outcome[],
  notRun: string,
  endpoints: number,
): string | undefined {
  const own = outcomes.filter((outcome) => outcome.probe === probe);
  if (own.length < (probe.once === true ? 1 : endpoints)) return notRun;
  for (const { ending, reason, detail, unproven } of own) {
    // A probe that found another clause broken before it was cut short counts as broken, and has not come to its end.
    const stopped = reason === undefined ? ending : 'unreachable';
    if (stopped === 'unreachable' || stopped === 'defect')
      return `${probe.name}: ${stopped}: ${detail?.split('\n')[0] ?? ''}`;
    if (unproven !== undefined) return `${probe.name}: ${unproven}`;
  }
  return undefined;
}

/** The observations of a round, each fact once with all the values that were seen. */
export function ledger(outcomes: readonly Outcome[]): Observation[] {
  const facts = new Map<string, Observation & { readonly values: Set<string> }>();
  for (const { id, fact, value } of outcomes.flatMap((outcome) => outcome.observations)) {
    const known = facts.get(`${id} ${fact}`);
    if (known === undefined)
      facts.set(`${id} ${fact}`, { id, fact, value, values: new Set([value]) });
    else known.values.add(value);
  }
  return [...facts.values()]
    .map(({ id, fact, values }) => ({ id, fact, value: [...values].sort().join(', ') }))
    .sort(
      (one, other) =>
        one.id.localeCompare(other.id, 'en', { numeric: true }) ||
        one.fact.localeCompare(other.fact),
    );
}
