import { stripVTControlCharacters, styleText } from 'node:util';
import { harmless } from '../secrets/printable.ts';
import type { Item, Mark, Report, Row, Section } from './report.ts';
import { byReason, splitItem } from './report.ts';

type Format = Parameters<typeof styleText>[0];

/** How to write to a stream. */
export interface TerminalStyle {
  readonly columns: number;
  readonly paint: (format: Format, text: string) => string;
}

/** Colour on a terminal only, unless NO_COLOR or FORCE_COLOR says something else; at most as wide as is easy to read. */
export function detectStyle(stream: NodeJS.WriteStream): TerminalStyle {
  const columns = stream.isTTY && stream.columns > 0 ? stream.columns : 80;
  return {
    columns: Math.min(Math.max(columns, 40), 120),
    paint: (format, text) => styleText(format, text, { stream }),
  };
}

/** Without colour, at a width. */
export const plain = (columns = 80): TerminalStyle => ({ columns, paint: (_format, text) => text });

const unlimited = 2 ** 30;
const idWidth = 10;

const signs = {
  holds: ['✓', 'green'],
  violated: ['✗', 'red'],
  known: ['~', 'yellow'],
  unverified: ['–', 'yellow'],
  prevented: ['!', 'yellow'],
  doubtful: ['?', 'yellow'],
  defect: ['!', 'magenta'],
} as const satisfies Record<Mark, unknown>;

/** What a person reads at the end of a run: what was judged, what failed, and the verdict in the last line. */
export function terminalText(report: Report, style: TerminalStyle): string {
  const { sections, failures, notes, mark, closing } = report;
  const [sign, colour] = signs[mark];
  // The line that is read first is never wrapped.
  const last = style.paint(['bold', colour], harmless(`${sign} ${closing.join(' · ')}`));
  return [
    byReason(sections, 'doubtful').flatMap(({ label, text }) =>
      painted('yellow', `${label} is doubtful: ${text}`, style),
    ),
    ...sections.map((section) => sectionLines(section, style)),
    ...failures.map((failure) => [
      ...painted(['bold', 'red'], splitItem(failure).join('  '), style),
      ...failureLines(failure, style),
    ]),
    [...notes.flatMap((note) => wrap(note, style.columns)), last],
  ]
    .map((lines) => (lines.length === 0 ? '' : `\n${lines.join('\n')}\n`))
    .join('');
}

const painted = (format: Format, text: string, style: TerminalStyle, head = ''): string[] =>
  wrap(text, style.columns, head).map((line) => style.paint(format, line));

function sectionLines({ notes = [], ...section }: Section, style: TerminalStyle): string[] {
  const { heading, isLong = false } = section;
  const items = section.items.filter(({ mark }) => !isLong || mark === 'violated');
  if (items.length + notes.length === 0) return [];
  return [
    ...(heading === undefined ? [] : painted('bold', heading, style)),
    ...notes.flatMap((note) => painted('dim', note, style, '  ')),
    ...items.flatMap((item, index) => itemLines(item, items[index + 1]?.reason, style)),
  ];
}

/** A reason that consecutive items share is printed once, below the last of them. */
function itemLines(item: Item, nextReason: string | undefined, style: TerminalStyle): string[] {
  const { mark, note = '', reason = '', evidence } = item;
  const label = item.label.padEnd(item.label === '' ? 0 : idWidth);
  const text = `${item.text}  ${note}`;
  if (mark === undefined) return painted('dim', text, style, `  ${label}`);
  const [sign, colour] = signs[mark];
  const strong = mark === 'violated' ? style.paint(['bold', 'red'], label) : label;
  const lines = wrap(text, style.columns, `  ${style.paint(colour, sign)} ${strong}`);
  if (evidence !== undefined || reason === '' || reason === nextReason) return lines;
  return [...lines, ...painted('yellow', reason, style, ' '.repeat(label.length + 4))];
}

/** What was found, and the command that repeats it. */
const failureLines = ({ evidence = [] }: Item, style: TerminalStyle): string[] =>
  evidence.flatMap((rows, index) => [
    ...(index === 0 ? [] : ['']),
    ...rows.flatMap((row) => rowLines(row, style)),
  ]);

/** What was found as plain text, without a heading. */
export const failureText = (failure: Item): string =>
  failureLines(failure, plain(unlimited)).join('\n');

/** The text follows its label; without one it is aligned with the labels. Commands are copied, so never wrapped. */
function rowLines([label, text]: Row, style: TerminalStyle): string[] {
  const isCommand = label === 'again' || label === 'curl';
  const columns = isCommand ? unlimited : style.columns;
  const head = label === '' ? '  ' : style.paint('dim', `  ${label.padEnd('received'.length)}  `);
  const lines = wrap(text, columns, head);
  return label === 'received' ? lines.map((line) => style.paint('red', line)) : lines;
}

/**
 * Wraps a text at its blanks; a long word, such as an address, stays whole. No line may look like a command to the CI
 * that reads the log: `::error::` (GitHub), `##vso[` (Azure), `##teamcity[`.
 * @param head in front of the first line; the others are indented by the width of it
 */
function wrap(text: string, columns: number, head = ''): string[] {
  const indent = stripVTControlCharacters(head).length;
  // With `u` a letter beyond 16 bits is one letter, and one column.
  const line = new RegExp(`(?:.{1,${columns - indent}}(?= |$)|[^ ]+) *`, 'gsu');
  const [first = '', ...others] = text.trimEnd().match(line) ?? [];
  return [
    head + harmless(first.trimEnd()),
    ...others.map((other) => ' '.repeat(indent) + harmless(other.trimEnd())),
  ];
}
