import { failureText } from '../contract/report/failure.ts';
import type { Report } from '../contract/report/report.ts';
import type { ClauseVerdict } from '../contract/round/verdict.ts';

/** The verdict on one clause, as a test reads it. */
interface ReportedVerdict extends Pick<ClauseVerdict, 'verdict' | 'cause'> {
  readonly id: string;
  /** The reason, or the failure in full. */
  readonly why: string;
}

/** The part of a round that tests need. */
export interface RoundVerdicts {
  readonly verdicts: readonly ReportedVerdict[];
  readonly unjudged?: string;
  /**
   * Whether an unverified clause counts as a failure. Then the gate itself fails, because a failed test costs
   * Playwright a new worker.
   */
  readonly strict?: boolean;
}

/**
 * The verdict of a report on each clause.
 * @param where all findings are: `in gate.json`
 */
export function roundVerdictsOf(report: Report, where?: string): RoundVerdicts {
  const verdicts = report.clauses.map((verdict) => ({
    id: verdict.clause.id,
    verdict: verdict.verdict,
    cause: verdict.cause,
    why:
      verdict.verdict === 'violated'
        ? failureText(verdict, report, { folds: 5, length: 2000 }, where)
        : (verdict.reason ?? ''),
  }));
  return { verdicts, unjudged: report.unjudged };
}
