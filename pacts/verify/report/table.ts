import { type Look, wrap } from '../../../contract/report/look.ts';
import { count } from '../../../contract/report/report.ts';
import { rowsOf } from './failure.ts';
import {
  counts,
  headline,
  type PactReport,
  type ReportedInteraction,
  type ReportedPact,
  tally,
} from './report.ts';

const signs = { verified: '✓', failed: '✗', unverified: '·' } as const;
const colours = { verified: 'green', failed: 'red', unverified: 'yellow' } as const;
const verdictColours = ['green', 'red', 'yellow', 'magenta'] as const;

/** `  ✓ `, and `  received  `: what follows is indented as far. */
const interactionIndent = 4;
const rowIndent = 12;

/** What a person reads at the end: pacts and their interactions, failures, notes, and the verdict in the last line. */
export function table(report: PactReport, look: Look): string {
  const failures = report.pacts.flatMap((pact) =>
    pact.interactions
      .filter(({ ending }) => ending === 'failed')
      .map((interaction) => failure(interaction, { ...pact, again: report.again }, look)),
  );
  const sections = [
    ...(nothingKnown(report)
      ? []
      : [...report.pacts.map((pact) => pactLines(pact, look)), ...failures]),
    ...(report.defect === undefined ? [] : [defectLines(report.defect, look)]),
    report.notes.flatMap((note) => wrap(note, look.columns)),
    [closing(report, look)],
  ];
  const shown = sections.filter((lines) => lines.length > 0);
  return `\n${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Whether there is one reason for all, which the last line tells. */
export const nothingKnown = (report: PactReport): boolean => {
  const { verified, failed, pending } = tally(report);
  return report.unjudged !== undefined && verified + failed + pending === 0;
};

function pactLines({ consumer, from, pending, notices, interactions }: ReportedPact, look: Look) {
  const { columns, paint } = look;
  const mark = pending ? `  ${paint('yellow', 'pending: no failure of it fails the run')}` : '';
  return [
    ...wrap(`${consumer}  ${from}`, columns).map((line) => paint('bold', line)),
    ...(mark === '' ? [] : [mark]),
    ...notices.flatMap((notice) =>
      wrap(notice, columns - 2).map((line) => paint('dim', `  ${line}`)),
    ),
    ...interactions.flatMap((interaction, index) =>
      interactionLines(interaction, interactions[index + 1], look),
    ),
  ];
}

/** A reason that several in a row have in common is told below the last of them. */
function interactionLines(
  { description, clauses, ending, reason }: ReportedInteraction,
  next: ReportedInteraction | undefined,
  { columns, paint }: Look,
): string[] {
  const [first = '', ...rest] = wrap(description, columns - interactionIndent);
  const ids = wrap(clauses.join(' '), columns - interactionIndent).filter((line) => line !== '');
  const beside =
    ids.length === 1 && rest.length === 0 && first.length + (ids[0]?.length ?? 0) < columns - 8;
  const why =
    ending !== 'unverified' || reason === undefined || reason === next?.reason ? '' : reason;
  return [
    `  ${paint(colours[ending], signs[ending])} ${first}${beside ? `  ${paint('dim', ids[0] ?? '')}` : ''}`,
    ...rest.map(indented),
    ...(beside ? [] : ids.map((line) => paint('dim', indented(line)))),
    ...(why === '' ? [] : wrap(why, columns - interactionIndent)).map((line) =>
      paint('yellow', indented(line)),
    ),
  ];
}

function failure(
  interaction: ReportedInteraction,
  { consumer, pending, again }: ReportedPact & Pick<PactReport, 'again'>,
  { columns, paint }: Look,
): string[] {
  const head = `${interaction.description}  (${consumer}${pending ? ', pending' : ''})`;
  const rows = rowsOf(interaction, again).flatMap(([label, text]) => {
    const lead = label.length > rowIndent - 4 ? `  ${label}  ` : `  ${label.padEnd(rowIndent - 2)}`;
    // A command is copied: it is never broken in two.
    const width = label === 'again' ? Number.POSITIVE_INFINITY : columns - lead.length;
    const [first = '', ...rest] = wrap(text, width);
    const shown = label === 'received' ? (line: string) => paint('red', line) : String;
    return [
      `${paint('dim', lead)}${shown(first)}`,
      ...rest.map((line) => `${' '.repeat(lead.length)}${shown(line)}`),
    ];
  });
  return [...wrap(head, columns).map((line) => paint(['bold', 'red'], line)), ...rows];
}

const defectLines = (defect: string, { columns, paint }: Look): string[] => [
  paint(['bold', 'magenta'], 'DEFECT'),
  ...defect
    .split('\n')
    .slice(0, 20)
    .flatMap((line) => wrap(line.trim(), columns - interactionIndent))
    .map(indented),
  `  ${paint('dim', 'this is a defect of the suite, not of the provider')}`,
];

/** The line that is read when no other is, never broken in two. */
function closing(report: PactReport, { paint }: Look): string {
  const took = (report.finishedAt.getTime() - report.startedAt.getTime()) / 1000;
  const line = [
    `${['✓', '✗', '!', '!'][report.exit]} ${headline(report)}`,
    ...(nothingKnown(report) ? [] : [counts(report)]),
    ...(report.only === undefined ? [] : [`only ${JSON.stringify(report.only)}`]),
    `${count(report.requests, 'request')}, ${took.toFixed(took < 1 ? 2 : 1)} s`,
    // Without a setting it is the sandbox: it must not be taken for the reader's own provider.
    ...(report.requests === 0 || report.unjudged !== undefined ? [] : [report.target]),
  ].join(' · ');
  const [whole = ''] = wrap(line, Number.POSITIVE_INFINITY);
  return paint(['bold', verdictColours[report.exit]], whole);
}

const indented = (line: string): string => `${' '.repeat(interactionIndent)}${line}`;
