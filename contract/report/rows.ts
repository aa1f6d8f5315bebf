import { type TerminalStyle, wrap } from './terminal-style.ts';

/** One row of a failure: its label, empty where the text needs none, and its text. */
export type Row = readonly [label: string, text: string];

/** The label of a row that continues the previous one. */
export const ditto = ' ';

/** `  received  `: texts follow their labels; those without a label are aligned with the labels. */
const labelWidth = 8;
const indentOf = (label: string): number =>
  label === '' ? 2 : Math.max(label.length, labelWidth) + 4;

/** A row in plain text. */
export const rowText = ([label, text]: Row): string =>
  `${`  ${label}`.padEnd(indentOf(label))}${text}`;

/** A row on a terminal: its label is dimmed, and its further lines are indented. */
export function rowLines([label, text]: Row, { columns, isLog, paint }: TerminalStyle): string[] {
  const indent = indentOf(label);
  // The reader copies a command, so it is never wrapped.
  const width = label === 'again' || label === 'curl' ? Infinity : columns - indent;
  const [first = '', ...rest] = wrap(text, width, isLog);
  const shown = label === 'received' ? (line: string) => paint('red', line) : String;
  return [
    `${paint('dim', rowText([label, '']))}${shown(first)}`,
    ...rest.map((line) => indented(shown(line), indent)),
  ];
}

/** The stack of a defect of ours, for the developer. @param where the run, where it is known */
export function defectLines(
  detail: string,
  where: string,
  { columns, paint }: TerminalStyle,
): string[] {
  const stack = detail.split('\n').slice(0, 20);
  return [
    `${paint(['bold', 'magenta'], 'DEFECT')}${where === '' ? '' : `  ${where}`}`,
    ...stack.flatMap((line) => wrap(line.trim(), columns - 4)).map((line) => indented(line, 4)),
    `  ${paint('dim', 'this is a defect of the suite, not of the provider')}`,
  ];
}

/** Sections as they are printed, with a blank line around each; empty ones are left out. */
export function page(sections: readonly (readonly string[])[]): string {
  const shown = sections.filter((lines) => lines.length > 0);
  return `\n${shown.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

export const indented = (line: string, columns: number): string => `${' '.repeat(columns)}${line}`;
