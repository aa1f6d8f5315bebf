import { type Report, reportOf } from '../../contract/report/report.ts';
import { environmentOf } from '../../settings.ts';
import type { Run } from '../target/run.ts';
import type { TargetRound } from './round.ts';

/**
 * A round on one target for the table and the document, and its report in the form that the gate's formats take.
 */
export interface ReportedRound {
  readonly name: string;
  readonly address: string;
  readonly report: Report;
  /** Their texts contain no control characters. */
  readonly runs: readonly Run[];
}

/** @param alone whether it is the only target, so that a repetition does not need its name */
export function reportedRoundOf(
  round: TargetRound,
  { alone }: { readonly alone: boolean },
): ReportedRound {
  const { target, runs, startedAt, finishedAt } = round;
  const report = reportOf(
    { ...round, results: runs.map(({ result }) => result) },
    {
      target: target.name,
      endpoints: target.endpoints,
      again: `${environmentOf('probe')}npm run probe --${alone ? '' : ` --target ${target.name}`}`,
      tookSeconds: (finishedAt.getTime() - startedAt.getTime()) / 1000,
    },
  );
  return {
    name: target.name,
    address: target.connection.origin.href,
    report,
    runs: report.results.flatMap((result, index) => {
      const run = runs[index];
      return run === undefined ? [] : [{ ...run, result }];
    }),
  };
}
