import type { Finding } from '../finding.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { failureText } from './failure.ts';
import { type Case, errorSuite, junitDocument, type RunError } from './junit-xml.ts';
import { headline, type Report } from './report.ts';

const extent = { folds: 20, length: 2_000 };

/**
 * `gate.xml`: there is one suite for each area, and one case for each clause. Errors that concern no clause have a
 * suite of their own: the provider could not be judged, or there is a defect of ours. Every CI shows a file with an
 * error as failed.
 */
export function junitXml(report: Report): string {
  const { target, endpoints, requests } = report;
  const areas = Map.groupBy(report.clauses, ({ clause }) => clause.id.replace(/-.*/, ''));
  const suites = [
    ...[...areas].map(([area, verdicts]) => ({
      name: area,
      cases: verdicts.map((verdict) => caseOf(verdict, report)),
    })),
    ...(report.checks.length === 0
      ? []
      : [{ name: 'CHECKS', cases: report.checks.map(checkCase) }]),
    ...errorSuite('ROUND', errorsOf(report)),
  ];
  return junitDocument(suites, {
    ...report,
    name: 'Contract',
    properties: { target, endpoints: endpoints.join(', '), requests: String(requests) },
  });
}

function caseOf(verdict: ClauseVerdict, report: Report): Case {
  const { clause, cause = 'prevented', reason = '' } = verdict;
  const name = { name: `${clause.id} ${clause.text}`, className: clause.id.replace(/-.*/, '') };
  const timed = { ...name, timeSeconds: secondsOf(clause.id, report) };
  switch (verdict.verdict) {
    case 'holds':
      return timed;
    case 'violated': {
      const text = failureText(verdict, report, extent);
      const message = verdict.findings[0] === undefined ? '' : sentenceOf(verdict.findings[0]);
      return { ...timed, outcome: { element: 'failure', type: 'violated', message, text } };
    }
    case 'unverified':
      return {
        ...timed,
        outcome: { element: 'skipped', type: cause, message: `${cause}: ${reason}`, text: '' },
      };
  }
}

function checkCase({ title, place, verdict, findings }: Report['checks'][number]): Case {
  const name = { name: title, className: place };
  if (verdict === 'holds') return name;
  const [message = ''] = findings;
  const element = verdict === 'violated' ? 'failure' : 'skipped';
  return { ...name, outcome: { element, type: verdict, message, text: findings.join('\n') } };
}

/** A finding as one sentence for a list of failed tests. `when` comes first, because that is the cause. */
const sentenceOf = ({ when, expected, received, seen }: Finding): string =>
  [
    ...(when === '' ? [] : [`${when}: `]),
    `expected ${expected}, received ${received}`,
    ...(seen === undefined ? [] : [`, seen in ${seen}`]),
  ].join('');

/** Each run counts for one clause only, the first clause of its probe, so that the sum of the times is right. */
const secondsOf = (id: string, { results }: Report): number =>
  results
    .filter(({ probe }) => probe.clauses[0] === id)
    .reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);

function errorsOf(report: Report): RunError[] {
  const { unjudged, defects, exit } = report;
  const strict = exit === 2 && unjudged === undefined ? headline(report) : undefined;
  return [
    { name: 'The provider can be judged', type: 'unjudged', text: unjudged },
    { name: 'Every clause is verified', type: 'unverified', text: strict },
    ...defects.map(({ probe, endpoint, detail: text = '' }) => {
      const name = `${probe.name} runs to its end on ${endpoint}`;
      return { name, type: 'defect', text };
    }),
  ];
}
