import { type Finding, findingRows } from '../finding.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import type { Report } from './report.ts';
import { type Row, rowText } from './rows.ts';
import { brief, count } from './words.ts';

/** A finding that represents all similar ones. */
export interface Fold {
  readonly finding: Finding;
  /** How many similar ones there are. */
  readonly more: number;
  /** The time of the last of them, where it differs. */
  readonly last: string | undefined;
  /** The other endpoints with the same finding. */
  readonly alsoOn: readonly string[];
}

/** Groups similar findings, in order of appearance. */
export function folds(findings: readonly Finding[]): Fold[] {
  return [...Map.groupBy(findings, likeness).values()].flatMap(([finding, ...others]): Fold[] => {
    if (finding === undefined) return [];
    const last = others.at(-1)?.when;
    const endpoints = new Set(others.map(({ endpoint }) => endpoint));
    endpoints.delete(finding.endpoint);
    const alsoOn = [...endpoints];
    return [
      { finding, more: others.length, last: last === finding.when ? undefined : last, alsoOn },
    ];
  });
}

/** Similar findings may differ in probe, endpoint, body size, kind of success, and the numbers in `when`. */
const likeness = ({ when, expected, received, seen }: Finding): string =>
  JSON.stringify([
    seen === undefined ? 'always' : 'now and then',
    when.replace(/\d+/g, '0'),
    expected,
    received.replace(/^2\d\d\b/, '2xx').replace(/\d+ bytes?/, ''),
  ]);

/** How much of a failure is shown. */
export interface Extent {
  /** How many different findings. */
  readonly folds: number;
  /** Characters of one text. */
  readonly length: number;
}

/** Time, request, expectation, answer, repetitions, and the number of similar findings. */
function rowsOf({ finding, more, last, alsoOn }: Fold, length: number): Row[] {
  const { when } = finding;
  const likewise = [
    `and ${more.toLocaleString('en-GB')} more like this`,
    ...(last === undefined ? [] : [`the last ${last}`]),
    ...(alsoOn.length === 0 ? [] : [`also on ${alsoOn.join(', ')}`]),
  ].join(', ');
  return [
    ...(when === '' ? [] : [['', brief(when, length)] as const]),
    ...findingRows.flatMap((label): Row[] => {
      const { [label]: text = '' } = finding;
      // A cut command is a different command.
      return text === '' ? [] : [[label, label === 'curl' ? text : brief(text, length)]];
    }),
    ...(more === 0 ? [] : [['', brief(likewise, length)] as const]),
  ];
}

/** The shown part of a violated clause: its findings, each as rows, and how many are left out. */
export function shownFindings({ findings }: ClauseVerdict, extent: Extent): [Row[][], number] {
  const all = folds(findings);
  const left = all.slice(extent.folds).reduce((sum, { more }) => sum + 1 + more, 0);
  return [all.slice(0, extent.folds).map((fold) => rowsOf(fold, extent.length)), left];
}

/**
 * The sentence about findings that are left out; empty when none is.
 * @param where all of them are: `in gate.json`
 */
export const leftOut = (left: number, where = 'in gate.json'): string =>
  left === 0 ? '' : `and ${count(left, 'further finding')}, all of them ${where}`;

/** The parts of a command that repeats a finding: its beginning, and the results, which name the probes. */
export type RepeatContext = Pick<Report, 'again' | 'results'>;

/** More probes than these only make the command longer, because each of them finds the clause violated. */
const probesNamed = 3;

/** The command names the clause, or else the probes of other clauses that found it violated. */
export function commandFor(
  { clause, findings }: ClauseVerdict,
  { again, results }: RepeatContext,
): string {
  const about = results.filter(({ probe }) => probe.clauses.includes(clause.id));
  const own = new Set(about.map(({ probe }) => probe.name));
  const finders = [...new Set(findings.map(({ probe }) => probe))];
  if (finders.some((name) => own.has(name))) return `${again} ${clause.id}`;
  return `${again} ${finders.slice(0, probesNamed).join(' ')}`;
}

/**
 * The whole failure of a clause as plain text, without its heading.
 * @param where all findings are: `in gate.json`
 */
export function failureText(
  verdict: ClauseVerdict,
  again: RepeatContext,
  extent: Extent,
  where?: string,
): string {
  const [groups, left] = shownFindings(verdict, extent);
  const rest = leftOut(left, where);
  return [
    groups.map((rows) => rows.map(rowText).join('\n')).join('\n\n'),
    ...(rest === '' ? [] : ['', `  ${rest}`]),
    rowText(['again', commandFor(verdict, again)]),
  ].join('\n');
}
