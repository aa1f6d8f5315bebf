import { closingLine, levelAt } from '../../../contract/report/level.ts';
import { defectLines, indented, page, rowLines } from '../../../contract/report/rows.ts';
import { type TerminalStyle, wrap } from '../../../contract/report/terminal-style.ts';
import { cost } from '../../../contract/report/words.ts';
import { rowsOf } from './failure.ts';
import {
  counts,
  headline,
  nothingKnown,
  type PactReport,
  type ReportedInteraction,
  type ReportedPact,
  tookSeconds,
} from './report.ts';

const signs = { verified: '✓', failed: '✗', unverified: '·' } as const;
const colours = { verified: 'green', failed: 'red', unverified: 'yellow' } as const;

/** The width of `  ✓ `; lines below an interaction have the same indentation. */
const interactionIndent = 4;

const below = (line: string): string => indented(line, interactionIndent);

/** The report on the terminal: pacts and their interactions, failures, notes, and the verdict in the last line. */
export function table(report: PactReport, style: TerminalStyle): string {
  const failures = report.pacts.flatMap((pact) =>
    pact.interactions
      .filter(({ ending }) => ending === 'failed')
      .map((interaction) => failure(interaction, { ...pact, again: report.again }, style)),
  );
  const sections = [
    ...(nothingKnown(report)
      ? []
      : [...report.pacts.map((pact) => pactLines(pact, style)), ...failures]),
    ...(report.defect === undefined ? [] : [defectLines(report.defect, '', style)]),
    report.notes.flatMap((note) => wrap(note, style.columns, style.isLog)),
    [closing(report, style)],
  ];
  return page(sections);
}

function pactLines(
  { consumer, from, pending, notices, interactions }: ReportedPact,
  style: TerminalStyle,
) {
  const { columns, paint } = style;
  const mark = `  ${paint('yellow', 'pending: no failure of it fails the run')}`;
  return [
    ...wrap(`${consumer}  ${from}`, columns, style.isLog).map((line) => paint('bold', line)),
    ...(pending ? [mark] : []),
    ...notices.flatMap((notice) =>
      wrap(notice, columns - 2, style.isLog).map((line) => paint('dim', `  ${line}`)),
    ),
    ...interactions.flatMap((interaction, index) =>
      interactionLines(interaction, interactions[index + 1], style),
    ),
  ];
}

/** If consecutive interactions have the same reason, it is printed only below the last of them. */
function interactionLines(
  { description, clauses, ending, reason }: ReportedInteraction,
  next: ReportedInteraction | undefined,
  { columns, isLog, paint }: TerminalStyle,
): string[] {
  const [first = '', ...rest] = wrap(description, columns - interactionIndent);
  const ids = wrap(clauses.join(' '), columns - interactionIndent).filter((line) => line !== '');
  const beside =
    ids.length === 1 && rest.length === 0 && first.length + (ids[0]?.length ?? 0) < columns - 8;
  const why =
    ending !== 'unverified' || reason === undefined || reason === next?.reason ? '' : reason;
  return [
    `  ${paint(colours[ending], signs[ending])} ${first}${beside ? `  ${paint('dim', ids[0] ?? '')}` : ''}`,
    ...rest.map(below),
    ...(beside ? [] : ids.map((line) => paint('dim', below(line)))),
    ...(why === '' ? [] : wrap(why, columns - interactionIndent, isLog)).map((line) =>
      paint('yellow', below(line)),
    ),
  ];
}

function failure(
  interaction: ReportedInteraction,
  { consumer, again }: ReportedPact & Pick<PactReport, 'again'>,
  style: TerminalStyle,
): string[] {
  const head = `${interaction.description}  (${consumer}${interaction.pending ? ', pending' : ''})`;
  return [
    ...wrap(head, style.columns).map((line) => style.paint(['bold', 'red'], line)),
    ...rowsOf(interaction, again).flatMap((row) => rowLines(row, style)),
  ];
}

function closing(report: PactReport, style: TerminalStyle): string {
  const took = tookSeconds(report);
  const facts = [
    headline(report),
    ...(nothingKnown(report) ? [] : [counts(report)]),
    ...(report.only === undefined ? [] : [`only ${JSON.stringify(report.only)}`]),
    cost(report.requests, took),
    // Without a setting the target is the sandbox. The reader must not confuse it with their own provider.
    ...(report.requests === 0 || report.unjudged !== undefined ? [] : [report.target]),
  ];
  return closingLine(levelAt(report.exit), facts, style);
}
