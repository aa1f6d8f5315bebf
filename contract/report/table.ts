import type { Outcome } from '../round/attempt.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { type Again, commandFor, leftOut, type Row, rowText, shownFindings } from './failure.ts';
import { type Look, wrap } from './look.ts';
import {
  asFarAsSelected,
  brief,
  count,
  counts,
  levelOf,
  noiseIn,
  nothingJudged,
  type Report,
  tally,
} from './report.ts';

const extent = { folds: 4, length: 400 };

/** Columns of `  ✓ BEARER-1  `, `  received  `: what follows is indented as far. */
const clauseIndent = 14;
const rowIndent = 12;

/** What a person reads at the end of a round: clauses, observations, findings, and the verdict in the last line. */
export function table(report: Report, look: Look): string {
  const sections = nothingJudged(report)
    ? []
    : [
        clauseTable(report, look),
        observations(report, look),
        ...report.clauses
          .filter(({ verdict }) => verdict === 'violated')
          .map((verdict) => failure(verdict, report, look)),
        ...report.defects.slice(0, 3).map((outcome) => defect(outcome, look)),
      ];
  const parts = [...sections.filter((section) => section.length > 0), closing(report, look)];
  return `\n${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const signs = { holds: '✓', violated: '✗', unverified: '–' } as const;
export const levelSigns = { ok: '✓', violated: '✗', warning: '!', defect: '!' } as const;
export const levelColours = {
  ok: 'green',
  violated: 'red',
  warning: 'yellow',
  defect: 'magenta',
} as const;
const colours = { holds: 'green', violated: 'red', unverified: 'yellow' } as const;

function clauseTable({ clauses }: Report, look: Look): string[] {
  const areas = Map.groupBy(clauses, ({ clause }) => clause.id.split('-')[0]);
  return [...areas.values()].flatMap((area, index) => [
    ...(index === 0 ? [] : ['']),
    ...area.flatMap((verdict, place) => clauseLines(verdict, area[place + 1], look)),
  ]);
}

/** A reason that several clauses in a row have in common is told below the last of them. */
function clauseLines(
  { clause, verdict, cause, reason }: ClauseVerdict,
  next: ClauseVerdict | undefined,
  { columns, paint }: Look,
): string[] {
  const [first = '', ...rest] = wrap(clause.text, columns - clauseIndent);
  const sign = paint(colours[verdict], cause === 'prevented' ? '!' : signs[verdict]);
  const id = clause.id.padEnd(clauseIndent - 4);
  const why = reason === undefined || reason === next?.reason ? [] : [brief(reason, extent.length)];
  return [
    `  ${sign} ${verdict === 'violated' ? paint(['bold', 'red'], id) : id}${first}`,
    ...rest.map((line) => indented(line, clauseIndent)),
    ...why
      .flatMap((text) => wrap(text, columns - clauseIndent))
      .map((line) => paint('yellow', indented(line, clauseIndent))),
  ];
}

/**
 * A clause that is violated, and what was found.
 * @param again names the command that repeats it, and where all findings are: `in gate.json`
 */
export function failure(
  verdict: ClauseVerdict,
  again: Again & { readonly where?: string },
  look: Look,
): string[] {
  const { id, text } = verdict.clause;
  const [groups, left] = shownFindings(verdict, extent);
  const rest = leftOut(left, again.where);
  const [first = '', ...more] = wrap(text, look.columns - id.length - 2);
  return [
    `${look.paint(['bold', 'red'], id)}  ${look.paint('bold', first)}`,
    ...more.map((line) => look.paint('bold', indented(line, id.length + 2))),
    ...groups.flatMap((rows, index) => [
      ...(index === 0 ? [] : ['']),
      ...rows.flatMap((row) => rowLines(row, look)),
    ]),
    ...(rest === '' ? [] : ['', ...rowLines(['', rest], look)]),
    // A command is copied: it is never broken in two.
    ...rowLines(['again', commandFor(verdict, again)], {
      ...look,
      columns: Number.POSITIVE_INFINITY,
    }),
  ];
}

/** A row, with its label set back and the lines after its first below the text. */
function rowLines([label, text]: Row, { columns, paint }: Look): string[] {
  const indent = label === '' ? 2 : rowIndent;
  const [first = '', ...rest] = wrap(text, columns - indent);
  const shown = label === 'received' ? (line: string) => paint('red', line) : String;
  const head = rowText([label, first]).slice(0, indent);
  return [
    `${paint('dim', head)}${shown(first)}`,
    ...rest.map((line) => `${' '.repeat(indent)}${shown(line)}`),
  ];
}

/** The stack of our own mistake, for the developer. */
export function defect(
  { probe, endpoint, detail = '' }: Outcome,
  { columns, paint }: Look,
): string[] {
  const stack = detail.split('\n').slice(0, 12);
  return [
    `${paint(['bold', 'magenta'], 'DEFECT')}  ${probe.name} on ${brief(endpoint, 200)}`,
    ...stack.flatMap((line) => wrap(line.trim(), columns - 4)).map((line) => indented(line, 4)),
    `  ${paint('dim', 'this is a defect of the suite, not of the provider')}`,
  ];
}

function observations({ observations: seen }: Report, { columns, paint }: Look): string[] {
  if (seen.length === 0) return [];
  const lines = seen.flatMap(({ id, fact, value }, index) => {
    const [first = '', ...rest] = wrap(brief(`${fact}: ${value}`, 200), columns - clauseIndent + 2);
    return [
      `  ${(id === seen[index - 1]?.id ? '' : id).padEnd(clauseIndent - 4)}${first}`,
      ...rest.map((line) => indented(line, clauseIndent - 2)),
    ];
  });
  return ['Observed, not specified by the contract', ...lines].map((line) => paint('dim', line));
}

/** The verdict, what it rests on, and what it cost: the line that is read when no other is, and never broken in two. */
function closing(report: Report, { columns, paint }: Look): string[] {
  const { exit, target, unjudged, requests, tookSeconds } = report;
  const why = unjudged === undefined ? '' : brief(unjudged, extent.length);
  const { unverified } = tally(report);
  const level = levelOf(report);
  const verdict = [
    unverified === 0 ? `Contract holds${asFarAsSelected(report)}` : 'No clause violated',
    'Contract violated',
    why === ''
      ? 'Not verified, which --strict refuses'
      : `${target} could not be judged${nothingJudged(report) ? '' : ' completely'}: ${why}`,
    'This suite has a defect',
  ][exit];
  const line = [
    `${levelSigns[level]} ${verdict}`,
    ...(nothingJudged(report) ? [] : [counts(report)]),
    `${count(requests, 'request')}, ${tookSeconds.toFixed(tookSeconds < 1 ? 2 : 1)} s`,
    // Without a setting it is the sandbox: it must not be taken for the reader's own provider.
    ...(exit === 2 && why !== '' ? [] : [target]),
  ].join(' · ');
  const partly = exit === 2 || why === '' ? [] : wrap(`! Partly not judged: ${why}`, columns);
  const noise = noiseIn(report);
  return [
    ...(noise === '' ? [] : wrap(`Network: ${noise}`, columns)).map((text) => paint('dim', text)),
    ...partly.map((text) => paint('yellow', text)),
    ...wrap(line, Number.POSITIVE_INFINITY).map((text) =>
      paint(['bold', levelColours[level]], text),
    ),
  ];
}

const indented = (line: string, columns: number): string => `${' '.repeat(columns)}${line}`;
