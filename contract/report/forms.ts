import { annotations, stepSummary } from './github.ts';
import { gateHtml } from './html.ts';
import { gateJson } from './json.ts';
import { junitXml } from './junit.ts';
import type { Report } from './report.ts';
import { table } from './table.ts';
import { type TerminalStyle, terminalStyleOf } from './terminal-style.ts';
import type { ReportForms } from './write.ts';

/** The report on a round in every form that the gate gives. */
export const formsOf = (
  report: Report,
  style: TerminalStyle = terminalStyleOf(process.stdout),
): ReportForms => ({
  text: table(report, style),
  annotations: () => annotations(report),
  summary: () => stepSummary(report),
  files: {
    'gate.json': () => gateJson(report),
    'gate.xml': () => junitXml(report),
    'gate.html': () => gateHtml(report),
  },
});
