import { endpointName } from '../../contract/http/request.ts';
import { clauseJson } from '../../contract/report/findings.ts';
import { jsonText } from '../../contract/report/words.ts';
import type { Run } from '../round/run.ts';
import type { TargetRound } from './round.ts';

/** What `--json` writes, as `schemas/probe-report.json` says: for programs, so no text is shortened. */
export const documentOf = (rounds: readonly TargetRound[], exit: number): string =>
  jsonText({ exit, targets: rounds.map(targetOf), version: 1 });

function targetOf(round: TargetRound): object {
  const { target, startedAt, finishedAt, exit, unjudged, requests, observations } = round;
  return {
    name: target.name,
    address: target.connection.origin.href,
    startedAt,
    finishedAt,
    exit,
    unjudged,
    clauses: round.clauses.map(clauseJson),
    observations,
    runs: round.runs.map(runOf),
    endpoints: target.endpoints.map(endpointName),
    requests,
  };
}

function runOf({ startedAt, result, reason, requests }: Run): object {
  const { probe, endpoint, outcome, detail, unproven, durationSeconds } = result;
  return {
    probe: probe.name,
    endpoint,
    clauses: probe.clauses,
    startedAt: new Date(startedAt),
    outcome,
    reason,
    detail,
    unproven,
    durationSeconds,
    requests,
  };
}
