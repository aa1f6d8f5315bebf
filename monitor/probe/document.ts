import { jsonText } from '../../contract/report/words.ts';
import { type Run, runStatus } from '../target/run.ts';
import type { ReportedRound } from './reported-round.ts';

/** What `--json` writes, as `schemas/probe-report.json` says: for programs, so nothing is shortened or folded. */
export function documentOf(rounds: readonly ReportedRound[], exit: number): string {
  const document = { exit, targets: rounds.map(targetOf), version: 1 };
  return jsonText(document);
}

function targetOf({ name, address, report, runs }: ReportedRound): object {
  const { startedAt, finishedAt, exit, unjudged, requests, endpoints } = report;
  return {
    name,
    address,
    startedAt,
    finishedAt,
    exit,
    unjudged,
    clauses: report.clauses.map(({ clause, verdict, cause, reason, findings }) => ({
      id: clause.id,
      text: clause.text,
      verdict,
      cause,
      reason,
      findings,
    })),
    observations: report.observations,
    runs: runs.map(runOf),
    endpoints,
    requests,
  };
}

function runOf(run: Run): object {
  const { probe, endpoint, findings: _, ...rest } = runStatus(run);
  return { probe, endpoint, clauses: run.result.probe.clauses, ...rest };
}
