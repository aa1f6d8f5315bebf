import { failureText } from '../contract/report/failure.ts';
import type { Report } from '../contract/report/report.ts';
import type { RoundVerdicts } from './round-verdicts.ts';

/** The verdict of a report on each clause. */
export function roundVerdictsOf(report: Report): RoundVerdicts {
  const verdicts = report.clauses.map((verdict) => ({
    id: verdict.clause.id,
    verdict: verdict.verdict,
    cause: verdict.cause,
    why:
      verdict.verdict === 'violated'
        ? failureText(verdict, report, { folds: 5, length: 2000 })
        : (verdict.reason ?? ''),
  }));
  return { verdicts, unjudged: report.unjudged };
}
