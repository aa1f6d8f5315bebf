import type { Report } from './report.ts';
import { jsonText } from './words.ts';

/** `gate.json`, as `schemas/gate-report.json` describes it: for programs, so nothing is shortened or folded. */
export function gateJson(report: Report): string {
  const { target, exit, unjudged, requests, defects, observations } = report;
  const document = {
    target,
    startedAt: report.startedAt.toISOString(),
    finishedAt: report.finishedAt.toISOString(),
    exit,
    clauses: report.clauses.map(({ clause, verdict, cause, reason, findings }) => ({
      id: clause.id,
      text: clause.text,
      verdict,
      cause,
      reason,
      findings: findings.map(({ clause: _, ...finding }) => finding),
    })),
    checks: report.checks,
    observations: observations.map(({ id, fact, value }) => ({ id, fact, value })),
    unjudged,
    defects: defects.map(({ probe, endpoint, detail = '' }) => ({
      probe: probe.name,
      endpoint,
      detail,
    })),
    endpoints: report.endpoints,
    requests,
    noise: report.noise,
    version: 1,
  };
  return jsonText(document);
}
