import { type Report, reportOf } from '../../contract/report/report.ts';
import { environmentOf } from '../../settings.ts';
import type { Run } from '../target/run.ts';
import type { TargetRound } from './round.ts';

/** One run as it is told: its texts can hold no control character any more. */
export interface ReportedRun extends Pick<Run, 'reason' | 'phases' | 'requests'> {
  readonly startedAt: Date;
  readonly outcome: Report['outcomes'][number];
}

/** A round on one target as the table and the document show it, and a report of it as the gate's formats take one. */
export interface ReportedRound {
  readonly name: string;
  readonly address: string;
  readonly report: Report;
  readonly runs: readonly ReportedRun[];
}

/** @param alone whether it is the only target, which then need not be named to probe it again */
export function reportedRoundOf(
  round: TargetRound,
  { alone }: { readonly alone: boolean },
): ReportedRound {
  const { target, runs, startedAt, finishedAt } = round;
  const report = reportOf(
    // Runs are scrubbed where they are made.
    { ...round, outcomes: runs.map(({ outcome }) => outcome), scrub: String },
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
    runs: runs.flatMap((run, index): ReportedRun[] => {
      const outcome = report.outcomes[index];
      const { reason, phases, requests } = run;
      return outcome === undefined
        ? []
        : [
            {
              startedAt: new Date(run.startedAt),
              outcome,
              requests,
              reason,
              phases,
            },
          ];
    }),
  };
}
