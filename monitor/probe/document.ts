import { jsonText } from '../../contract/report/words.ts';
import { publishedOutcome } from '../../contract/round/published-outcome.ts';
import type { ReportedRound, ReportedRun } from './reported-round.ts';

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

function runOf({ startedAt, result, reason, phases, requests }: ReportedRun): object {
  const { probe, endpoint, outcome, detail, unproven, durationSeconds } = result;
  return {
    probe: probe.name,
    endpoint,
    clauses: probe.clauses,
    startedAt,
    ending: publishedOutcome(outcome),
    reason,
    detail,
    unproven,
    durationSeconds,
    phases,
    requests,
  };
}
