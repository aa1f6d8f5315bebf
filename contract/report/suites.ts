import type { Finding } from '../finding.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import type { Check, Context, ReportedRound, ReportedRun } from './contract-report.ts';
import { failureOf } from './findings.ts';
import type { Case, Suite } from './junit.ts';
import { type Extent, failureText } from './report.ts';
import { firstLine } from './words.ts';

const extent: Extent = { evidence: 5, also: 5, length: 2_000 };

/** `gate.xml`: a suite for each clause, with a case for each run that is about the clause or found it violated. */
export function suitesOf(
  { clauses, results }: ReportedRound,
  { again, checks = [] }: Pick<Context, 'again' | 'checks'>,
): Suite[] {
  const outcomeOf = ({ verdict, ...rest }: ClauseVerdict): Case['outcome'] => {
    const { findings, cause = 'prevented', reason = '' } = rest;
    if (verdict === 'holds') return undefined;
    if (verdict === 'unverified')
      return { element: 'skipped', type: cause, message: `${cause}: ${reason}`, text: '' };
    const text = failureText(failureOf({ verdict, ...rest }, results, again), extent, 'gate.json');
    const message = findings[0] === undefined ? '' : sentenceOf(findings[0]);
    return { element: 'failure', type: 'violated', message, text };
  };
  const ofClauses = clauses.map((whole): Suite => {
    const { id, text } = whole.clause;
    const runs = results.filter(
      ({ probe, findings }) =>
        probe.clauses.includes(id) || findings.some(({ clause }) => clause === id),
    );
    const own = runs.map((run) => ({ run, verdict: verdictOf(run, whole) }));
    const cases = own.map(({ run: { probe, endpoint, durationSeconds }, verdict }) => ({
      name: `${probe.name} on ${endpoint}`,
      className: id,
      // A run takes time for one clause only, so that the sum of the times is right.
      timeSeconds: probe.clauses[0] === id ? durationSeconds : 0,
      outcome: outcomeOf(verdict),
    }));
    // The verdict may come from no run: probes were not run, or accidents were too many.
    if (!own.some(({ verdict }) => verdict.verdict === whole.verdict))
      cases.push({ name: text, className: id, timeSeconds: 0, outcome: outcomeOf(whole) });
    return { name: `${id} ${text}`, cases };
  });
  return checks.length === 0
    ? ofClauses
    : [...ofClauses, { name: 'Own checks', cases: checks.map(checkCase) }];
}

function checkCase({ title, place, verdict, findings }: Check): Case {
  const text = findings.join('\n');
  const element = verdict === 'violated' ? 'failure' : 'skipped';
  const outcome = { element, type: verdict, message: firstLine(text), text } as const;
  return { name: title, className: place, ...(verdict === 'holds' ? {} : { outcome }) };
}

/** What one run shows of a clause. */
function verdictOf(run: ReportedRun, { clause }: ClauseVerdict): ClauseVerdict {
  const { outcome, unproven, detail = '' } = run;
  const findings = run.findings.filter((finding) => finding.clause === clause.id);
  if (findings.length > 0) return { clause, verdict: 'violated', findings };
  const isFinished = outcome === 'passed' || outcome === 'failed';
  const reason = isFinished ? unproven : `${outcome}: ${firstLine(detail)}`;
  if (reason === undefined) return { clause, verdict: 'holds', findings };
  return { clause, verdict: 'unverified', cause: 'prevented', reason, findings };
}

/** A finding as one sentence for a list of failed tests. `when` comes first, because that is the cause. */
const sentenceOf = ({ when, expected, received, seen }: Finding): string =>
  [
    ...(when === '' ? [] : [`${when}: `]),
    `expected ${expected}, received ${received}`,
    ...(seen === undefined ? [] : [`, seen in ${seen}`]),
  ].join('');
