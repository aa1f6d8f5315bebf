import type { ProbeResult } from '../round/attempt.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import type { Report } from './report.ts';

/** The state of one clause on one endpoint. */
export interface Cell extends Pick<ClauseVerdict, 'verdict' | 'cause'> {
  readonly findings: number;
}

/** One clause on every endpoint, or as one cell where it concerns the service as a whole. */
export type MatrixRow = { readonly clause: ClauseVerdict } & (
  | { readonly whole: Cell }
  | { readonly cells: readonly Cell[] }
);

/** Clauses by endpoints, each endpoint in the order of the report. */
export const matrix = (report: Report): MatrixRow[] =>
  report.clauses.map((clause) => rowOf(clause, report));

/**
 * A probe that runs once counts for every endpoint. Where a clause is checked in both ways, the worse result
 * counts. A run that found a clause violated counts too, although its probe is about another one.
 */
function rowOf(clause: ClauseVerdict, { results, endpoints }: Report): MatrixRow {
  const about = results.filter(
    ({ probe, findings }) =>
      probe.clauses.includes(clause.clause.id) ||
      findings.some((finding) => finding.clause === clause.clause.id),
  );
  const once = about.filter(({ endpoint }) => !endpoints.includes(endpoint));
  if (once.length === about.length) {
    const { verdict, cause, findings } = clause;
    return { clause, whole: { verdict, cause, findings: findings.length } };
  }
  return {
    clause,
    cells: endpoints.map((endpoint) =>
      cellOf(clause, [...once, ...about.filter((result) => result.endpoint === endpoint)]),
    ),
  };
}

/** A probe that ran and proved nothing was prevented. A probe that did not run has the cause of its clause. */
function cellOf(
  { clause, cause = 'prevented' }: ClauseVerdict,
  results: readonly ProbeResult[],
): Cell {
  const findings = results
    .flatMap((result) => result.findings)
    .filter((finding) => finding.clause === clause.id).length;
  if (findings > 0) return { verdict: 'violated', findings };
  const proved = results.filter(
    ({ outcome, unproven }) =>
      (outcome === 'passed' || outcome === 'failed') && unproven === undefined,
  );
  if (results.length > 0 && proved.length === results.length) return { verdict: 'holds', findings };
  const ran = proved.length < results.length;
  return { verdict: 'unverified', cause: ran ? 'prevented' : cause, findings };
}
