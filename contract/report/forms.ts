import { type Context, type ReportedRound, reportOf } from './contract-report.ts';
import { merged } from './findings.ts';
import { annotations, stepSummary } from './github.ts';
import { pageHtml } from './html.ts';
import { junitXml } from './junit.ts';
import { suitesOf } from './suites.ts';
import { type TerminalStyle, terminalStyleOf, terminalText } from './terminal.ts';
import { firstLine, jsonText } from './words.ts';
import type { ReportForms } from './write.ts';

/** The report on a round in every form that the gate gives. */
export function formsOf(
  round: ReportedRound,
  context: Context,
  style: TerminalStyle = terminalStyleOf(process.stdout),
): ReportForms {
  const report = reportOf(round, context);
  return {
    text: terminalText(report, style),
    annotations: () => annotations(report),
    summary: () => stepSummary(report),
    files: {
      'gate.json': () => gateJson(round, context),
      'gate.xml': () => junitXml(report, suitesOf(round, context)),
      'gate.html': () => pageHtml(report),
    },
  };
}

/** `gate.json`, as `schemas/gate-report.json` describes it: for programs, so no text is shortened. */
export function gateJson(
  round: ReportedRound,
  { target, endpoints, checks = [] }: Context,
): string {
  const { startedAt, finishedAt, exit, unjudged, requests, results, observations, noise } = round;
  const document = {
    target,
    startedAt,
    finishedAt,
    exit,
    clauses: round.clauses.map(({ clause: { id, text }, findings, ...verdict }) => ({
      id,
      text,
      ...verdict,
      findings: merged(findings),
    })),
    checks,
    observations,
    unjudged: unjudged && firstLine(unjudged),
    defects: results
      .filter(({ outcome }) => outcome === 'defect')
      .map(({ probe, endpoint, detail = '' }) => ({ probe: probe.name, endpoint, detail })),
    endpoints,
    requests,
    noise,
    version: 1,
  };
  return jsonText(document);
}
