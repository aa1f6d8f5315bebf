import type { ClauseVerdict } from '../round/verdict.ts';
import { commandFor, leftOut, type RepeatContext, shownFindings } from './failure.ts';
import { closingLine } from './level.ts';
import {
  asFarAsSelected,
  counts,
  levelOf,
  noiseIn,
  nothingJudged,
  type Report,
  tally,
} from './report.ts';
import { defectLines, indented, page, rowLines } from './rows.ts';
import { type TerminalStyle, wrap } from './terminal-style.ts';
import { brief, cost, count } from './words.ts';

const extent = { folds: 4, length: 400 };

/** Columns of `  ✓ BEARER-1  `: what follows is indented as far. */
const clauseIndent = 14;

/** What a person reads at the end of a round: clauses, observations, findings, and the verdict in the last line. */
export function table(report: Report, style: TerminalStyle): string {
  const sections = nothingJudged(report)
    ? []
    : [
        clauseTable(report, style),
        observations(report, style),
        ...report.clauses
          .filter(({ verdict }) => verdict === 'violated')
          .map((verdict) => failure(verdict, report, style)),
        ownChecks(report, style),
        ...defects(report, style),
      ];
  return page([...sections, closing(report, style)]);
}

const signs = { holds: '✓', violated: '✗', unverified: '–' } as const;
const colours = { holds: 'green', violated: 'red', unverified: 'yellow' } as const;

function clauseTable({ clauses }: Report, style: TerminalStyle): string[] {
  const areas = Map.groupBy(clauses, ({ clause }) => clause.id.split('-')[0]);
  return [...areas.values()].flatMap((area, index) => [
    ...(index === 0 ? [] : ['']),
    ...area.flatMap((verdict, place) => clauseLines(verdict, area[place + 1], style)),
  ]);
}

/** A reason that several consecutive clauses share is printed below the last of them. */
function clauseLines(
  { clause, verdict, cause, reason }: ClauseVerdict,
  next: ClauseVerdict | undefined,
  { columns, paint }: TerminalStyle,
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
 * A violated clause and its findings.
 * @param again names the command that repeats it, and where all findings are: `in gate.json`
 */
export function failure(
  verdict: ClauseVerdict,
  again: RepeatContext & { readonly where?: string },
  style: TerminalStyle,
): string[] {
  const { id, text } = verdict.clause;
  const [groups, left] = shownFindings(verdict, extent);
  const rest = leftOut(left, again.where);
  const [first = '', ...more] = wrap(text, style.columns - id.length - 2);
  return [
    `${style.paint(['bold', 'red'], id)}  ${style.paint('bold', first)}`,
    ...more.map((line) => style.paint('bold', indented(line, id.length + 2))),
    ...groups.flatMap((rows, index) => [
      ...(index === 0 ? [] : ['']),
      ...rows.flatMap((row) => rowLines(row, style)),
    ]),
    ...(rest === '' ? [] : ['', ...rowLines(['', rest], style)]),
    ...rowLines(['again', commandFor(verdict, again)], style),
  ];
}

/** The first defects of this suite. */
export const defects = ({ defects: all }: Report, style: TerminalStyle): string[][] =>
  all
    .slice(0, 3)
    .map(({ probe, endpoint, detail = '' }) =>
      defectLines(detail, `${probe.name} on ${brief(endpoint, 200)}`, style),
    );

function observations({ observations: seen }: Report, { columns, paint }: TerminalStyle): string[] {
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

/** The verdict, below the facts that weaken it. */
/** The own checks that failed or were skipped, and how many held. */
function ownChecks({ checks }: Report, { paint }: TerminalStyle): string[] {
  const held = checks.filter(({ verdict }) => verdict === 'holds').length;
  if (checks.length === 0) return [];
  return [
    paint('bold', 'Own checks'),
    ...checks.flatMap(({ title, place, verdict, findings }) =>
      verdict === 'holds'
        ? []
        : [
            `  ${paint(colours[verdict], signs[verdict])} ${title}  ${paint('dim', place)}`,
            ...findings.flatMap((text) => text.split('\n')).map((line) => indented(line, 4)),
          ],
    ),
    ...(held === 0 ? [] : [`  ${paint('green', '✓')} ${count(held, 'check')}`]),
  ];
}

function closing(report: Report, style: TerminalStyle): string[] {
  const { exit, target, unjudged, requests, tookSeconds } = report;
  const { columns, paint } = style;
  const why = unjudged === undefined ? '' : brief(unjudged, extent.length);
  const { violated, unverified } = tally(report);
  const verdicts = [
    unverified === 0 ? `Contract holds${asFarAsSelected(report)}` : 'No clause violated',
    violated === 0 ? 'Own check failed' : 'Contract violated',
    why === ''
      ? 'Not verified, which --strict refuses'
      : `${target} could not be judged${nothingJudged(report) ? '' : ' completely'}: ${why}`,
    'This suite has a defect',
  ] as const;
  const facts = [
    verdicts[exit],
    ...(nothingJudged(report) ? [] : [counts(report)]),
    cost(requests, tookSeconds),
    // Without settings this is the sandbox: the reader must not mistake it for their own provider.
    ...(exit === 2 && why !== '' ? [] : [target]),
  ];
  const partly = exit === 2 || why === '' ? [] : wrap(`! Partly not judged: ${why}`, columns);
  const noise = noiseIn(report);
  return [
    ...(noise === '' ? [] : wrap(`Network: ${noise}`, columns)).map((text) => paint('dim', text)),
    ...partly.map((text) => paint('yellow', text)),
    closingLine(levelOf(report), facts, style),
  ];
}
