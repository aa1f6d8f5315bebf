import { closingLine, type Level, levelAt } from '../../contract/report/level.ts';
import { counts, tally } from '../../contract/report/report.ts';
import { indented, page } from '../../contract/report/rows.ts';
import { defects, failure } from '../../contract/report/table.ts';
import { type TerminalStyle, wrap } from '../../contract/report/terminal-style.ts';
import { brief, cost, count, firstLine } from '../../contract/report/words.ts';
import type { Run } from '../target/run.ts';
import type { ReportedRound } from './reported-round.ts';

/** Columns of `  ✓   12 ms  `: the details of a run are printed below its name. */
const nameIndent = 14;

/** The most characters of one text. */
const longest = 400;

/** The text that a user reads at the end: each run, its findings, and the verdict in the last line. */
export function table(
  rounds: readonly ReportedRound[],
  tookSeconds: number,
  style: TerminalStyle,
): string {
  const alone = rounds.length === 1;
  const parts = rounds.flatMap((round) => [
    ...(alone ? [] : [[style.paint('bold', `${round.name}  ${round.address}`)]]),
    ...sections(round, style),
    [closing(round, alone ? tookSeconds : round.report.tookSeconds, style)],
  ]);
  if (!alone) parts.push(summary(rounds, tookSeconds, style));
  return page(parts);
}

function sections(round: ReportedRound, style: TerminalStyle): string[][] {
  const { report, runs } = round;
  if (isSilent(round)) return [];
  const by = Map.groupBy(runs, ({ result }) => result.endpoint);
  const named = report.endpoints.length > 1;
  return [
    ...[...by].map(([endpoint, own]) => [
      ...(named ? [style.paint('dim', `  ${brief(endpoint, longest)}`)] : []),
      ...own.flatMap((run, index) => runLines(run, own[index + 1], style)),
    ]),
    unverified(round, style),
    ...report.clauses
      .filter(({ verdict }) => verdict === 'violated')
      .map((verdict) => failure(verdict, { ...report, where: 'in --json' }, style)),
    ...defects(report, style),
  ];
}

/** Whether all runs failed without a result for one reason: then only that reason is printed. */
const isSilent = ({ report: { unjudged }, runs }: ReportedRound): boolean =>
  unjudged !== undefined && runs.every(({ result }) => result.detail === unjudged);

const signs = { passed: '✓', failed: '✗', unreachable: '!', defect: '!' } as const;
const colours = {
  passed: 'green',
  failed: 'red',
  unreachable: 'yellow',
  defect: 'magenta',
} as const;

/** A reason that consecutive runs share is printed once, below the last of them. */
function runLines({ result }: Run, next: Run | undefined, style: TerminalStyle): string[] {
  const { probe, outcome, findings, unproven, durationSeconds } = result;
  const proves = outcome !== 'passed' || unproven === undefined;
  const sign = proves ? style.paint(colours[outcome], signs[outcome]) : style.paint('yellow', '!');
  const broken = [...new Set(findings.map(({ clause }) => clause))].join(', ');
  const why = whyOf(result);
  const reasons = why === '' || (next !== undefined && why === whyOf(next.result)) ? [] : [why];
  return [
    `  ${sign} ${style.paint('dim', duration(durationSeconds).padStart(8))}  ` +
      `${probe.name}${broken === '' ? '' : `  ${style.paint(['bold', 'red'], broken)}`}`,
    ...reasons
      .flatMap((text) => wrap(brief(text, longest), style.columns - nameIndent))
      .map((line) => style.paint('yellow', indented(line, nameIndent))),
  ];
}

/** Why a run proves nothing, or failed without a clause; the stack of a defect comes later. */
const whyOf = ({ detail, unproven = '' }: Run['result']): string =>
  detail === undefined ? unproven : firstLine(detail);

const duration = (seconds: number): string =>
  seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(1)} s`;

/** Clauses that could not be verified, grouped by reason. */
function unverified({ report }: ReportedRound, { columns, paint }: TerminalStyle): string[] {
  const open = report.clauses.filter(({ verdict }) => verdict === 'unverified');
  const by = Map.groupBy(open, ({ reason = '' }) => reason);
  return [...by].flatMap(([reason, clauses]) => {
    const ids = clauses.map(({ clause }) => clause.id).join(', ');
    const [first = '', ...more] = wrap(brief(`${ids}: ${reason}`, longest), columns - 4);
    const prevented = clauses.some(({ cause }) => cause === 'prevented');
    return [`  ${prevented ? '!' : '–'} ${first}`, ...more.map((line) => indented(line, 4))].map(
      (line) => paint(prevented ? 'yellow' : 'dim', line),
    );
  });
}

function closing(round: ReportedRound, tookSeconds: number, style: TerminalStyle): string {
  const { name, report } = round;
  const { exit, unjudged, requests } = report;
  const { holds, violated, prevented } = tally(report);
  const why = brief(unjudged ?? '', longest);
  const verdicts = [
    holds === 0 ? 'No clause could be verified' : 'No clause violated',
    violated === 0 ? 'A payload is not as its schema says' : 'Contract violated',
    unjudged === undefined
      ? 'Not verified, which --strict refuses'
      : `${name} could not be judged${isSilent(round) ? '' : ' completely'}: ${why}`,
    'This suite has a defect',
  ] as const;
  const facts = [
    verdicts[exit],
    ...(isSilent(round) ? [] : [counts(report)]),
    cost(requests, tookSeconds),
  ];
  // A single round never verifies everything, so only prevented clauses change the level.
  const level: Level = exit === 0 && prevented > 0 ? 'warning' : levelAt(exit);
  return closingLine(level, facts, style);
}

function summary(
  rounds: readonly ReportedRound[],
  tookSeconds: number,
  { paint }: TerminalStyle,
): string[] {
  const words = ['without a violation', 'violated', 'not judged', 'with a defect of this suite'];
  const counts = words.flatMap((word, exit) => {
    const many = rounds.filter(({ report }) => report.exit === exit).length;
    return many === 0 ? [] : [`${many} ${word}`];
  });
  const requests = rounds.reduce((sum, { report }) => sum + report.requests, 0);
  const line = `${count(rounds.length, 'target')} · ${counts.join(', ')} · ${cost(requests, tookSeconds)}`;
  return [paint('bold', line)];
}
