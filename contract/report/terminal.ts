import { styleText } from 'node:util';
import { harmless } from '../secrets/printable.ts';
import {
  type Failure,
  type Item,
  indentOf,
  type Level,
  leftOut,
  type Mark,
  type Report,
  type Row,
  type RunError,
  rowText,
  type Section,
  shownEvidence,
} from './report.ts';
import { brief } from './words.ts';

type Format = Parameters<typeof styleText>[0];

/** How to write to a stream. */
export interface TerminalStyle {
  readonly columns: number;
  /** Not a terminal: addresses are not wrapped, so that the reader can follow or copy them. */
  readonly isLog?: boolean;
  readonly paint: (format: Format, text: string) => string;
}

/** Colour on a terminal only, unless NO_COLOR or FORCE_COLOR says something else; at most as wide as is easy to read. */
export function terminalStyleOf(stream: NodeJS.WriteStream): TerminalStyle {
  const columns = stream.isTTY && stream.columns > 0 ? stream.columns : 80;
  return {
    columns: Math.min(Math.max(columns, 40), 120),
    isLog: !stream.isTTY,
    paint: (format, text) => styleText(format, text, { stream }),
  };
}

/** Without colour, at a width. */
export const plain = (columns = 80): TerminalStyle => ({ columns, paint: (_format, text) => text });

const extent = { evidence: 4, also: 3, length: 400 };
const longestStack = 20;
const observedHeading = 'Observed, not specified by the contract';

const levelMarks = {
  ok: ['✓', 'green'],
  violated: ['✗', 'red'],
  warning: ['!', 'yellow'],
  defect: ['!', 'magenta'],
} as const satisfies Record<Level, unknown>;

const marks = {
  holds: ['✓', 'green'],
  violated: ['✗', 'red'],
  unverified: ['–', 'yellow'],
  prevented: ['!', 'yellow'],
} as const satisfies Record<Mark, unknown>;

/** What a person reads at the end of a run: what was judged, what failed, and the verdict in the last line. */
export const terminalText = (report: Report, style: TerminalStyle): string =>
  page(terminalSections(report, style));

export const terminalSections = (report: Report, style: TerminalStyle): string[][] => [
  ...report.sections.map((section) => sectionLines(section, style)),
  sectionLines({ heading: observedHeading, items: report.observed }, style).map((line) =>
    style.paint('dim', line),
  ),
  ...report.failures.map((failure) => failureLines(failure, report.file, style)),
  ...report.errors
    .filter(({ type }) => type === 'defect')
    .slice(0, 3)
    .map((defect) => defectLines(defect, style)),
  [...report.notes.flatMap((note) => wrap(note, style)), closingLine(report, style)],
];

/** Sections as they are printed, with a blank line around each; empty ones are left out. */
export function page(sections: readonly (readonly string[])[]): string {
  const shown = sections.filter((lines) => lines.length > 0);
  return `\n${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function sectionLines(
  { heading = '', notes = [], items }: Section,
  style: TerminalStyle,
): string[] {
  if (items.length + notes.length === 0) return [];
  return [
    ...(heading === '' ? [] : wrap(heading, style)).map((line) => style.paint('bold', line)),
    ...notes.flatMap((note) => wrap(note, style, 2)).map((line) => style.paint('dim', line)),
    ...items.flatMap((item, index) => itemLines(item, items[index + 1]?.reason, style)),
  ];
}

/** A reason that consecutive items share is printed once, below the last of them. */
function itemLines(
  { mark, label, text, note = '', reason = '' }: Item,
  nextReason: string | undefined,
  style: TerminalStyle,
): string[] {
  const { columns, paint } = style;
  const [sign, colour] = mark === undefined ? (['', 'dim'] as const) : marks[mark];
  const strong = mark === 'violated' ? (words: string) => paint(['bold', 'red'], words) : String;
  const indent = label.length + (sign === '' ? 2 : 4);
  const [first = '', ...rest] = wrap(brief(text, extent.length), style, indent);
  const lines = [
    `  ${sign === '' ? '' : `${paint(colour, sign)} `}${strong(label)}${first.slice(indent)}`,
    ...rest,
  ];
  if (note !== '') {
    const isBeside = (rest.at(-1) ?? first).length + note.length + 2 <= columns;
    const before = isBeside ? `${lines.pop()}  ` : ' '.repeat(indent);
    lines.push(before + strong(paint('dim', note)));
  }
  const why =
    reason === '' || reason === nextReason ? [] : wrap(brief(reason, extent.length), style, indent);
  return [...lines, ...why.map((line) => paint('yellow', line))];
}

/** What was violated, what was found, and the command that repeats it. */
function failureLines(failure: Failure, file: string, style: TerminalStyle): string[] {
  const { id, text, again } = failure;
  const rest = leftOut(failure, extent.evidence, file);
  return [
    ...wrap(`${id}  ${text}`, style).map((line) => style.paint(['bold', 'red'], line)),
    ...shownEvidence(failure, extent).flatMap((rows, index) => [
      ...(index === 0 ? [] : ['']),
      ...rows.flatMap((row) => rowLines(row, style)),
    ]),
    ...(rest === '' ? [] : ['', ...rowLines(['', rest], style)]),
    ...(again === undefined ? [] : rowLines(['again', again], style)),
  ];
}

/** A row, of which the further lines are indented. The reader copies a command, so it is never wrapped. */
function rowLines([label, text]: Row, style: TerminalStyle): string[] {
  const indent = indentOf(label);
  const isCommand = label === 'again' || label === 'curl';
  const [first = '', ...rest] = isCommand
    ? [`${' '.repeat(indent)}${harmless(text)}`]
    : wrap(text, style, indent);
  const shown = (line: string): string => (label === 'received' ? style.paint('red', line) : line);
  return [
    `${style.paint('dim', rowText([label, '']))}${shown(first.slice(indent))}`,
    ...rest.map(shown),
  ];
}

/** A defect of ours with its stack, for the developer. */
const defectLines = ({ title, text }: RunError, style: TerminalStyle): string[] => [
  `${style.paint(['bold', 'magenta'], 'DEFECT')}  ${title}`,
  ...text
    .split('\n')
    .slice(0, longestStack)
    .flatMap((line) => wrap(line.trim(), style, 4)),
  `  ${style.paint('dim', 'this is a defect of the suite, not of the provider')}`,
];

/** The line that is read first: the verdict, its evidence, its cost. It is never wrapped. */
function closingLine(
  { level, closing }: Pick<Report, 'level' | 'closing'>,
  { paint }: TerminalStyle,
): string {
  const [sign, colour] = levelMarks[level];
  return paint(['bold', colour], harmless(`${sign} ${closing.join(' · ')}`));
}

const isAddress = /^ *[a-z][a-z\d+.-]*:\/\//i;

/**
 * Wraps a text at its blanks, and a word longer than a line anywhere. In a log addresses stay whole. No line may look
 * like a command to the CI that reads the log: `::error::` (GitHub), `##vso[` (Azure), `##teamcity[`.
 */
export function wrap(
  text: string,
  { columns, isLog = false }: Pick<TerminalStyle, 'columns' | 'isLog'>,
  indent = 0,
): string[] {
  const width = columns - indent;
  const lines: string[] = [];
  let line = '';
  for (const [word] of text.trimEnd().matchAll(/ *[^ ]+/g)) {
    if (line !== '' && size(line) + size(word) > width) {
      lines.push(line);
      line = word.trimStart();
    } else line += word;
    if (size(line) <= width || (isLog && isAddress.test(word))) continue;
    const letters = [...line];
    let at = 0;
    for (; letters.length - at > width; at += width)
      lines.push(letters.slice(at, at + width).join(''));
    line = letters.slice(at).join('');
  }
  return [...lines, line].map((each) => ' '.repeat(indent) + harmless(each));
}

/** Letters beyond 16 bits are two code units, and one column. */
const size = (text: string): number => [...text].length;
