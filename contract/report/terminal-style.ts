import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** How to write to a stream. */
export interface TerminalStyle {
  readonly columns: number;
  /** Not a terminal: addresses are not wrapped, so that the reader can follow or copy them. */
  readonly isLog?: boolean;
  readonly paint: (format: Format, text: string) => string;
}

/**
 * Colour on a terminal only, unless NO_COLOR or FORCE_COLOR says something else; at most as wide as is easy to
 * read.
 */
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

const isAddress = /^[a-z][a-z\d+.-]*:\/\//i;

const size = (text: string): number => [...text].length;

/**
 * Wraps a text at its blanks, and a word longer than a line anywhere. In a log addresses stay whole. No line may
 * look like a command to the CI that reads the log: `::error::` (GitHub), `##vso[` (Azure), `##teamcity[`.
 */
export function wrap(text: string, width: number, isLog = false): string[] {
  const lines: string[] = [];
  let line = '';
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+)/g)) {
    if (line !== '' && size(line) + blanks.length + size(word) > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : line + blanks + word;
    if (isLog && isAddress.test(word)) continue;
    for (; size(line) > width; line = [...line].slice(width).join(''))
      lines.push([...line].slice(0, width).join(''));
  }
  return [...lines, line].map(harmless);
}

/** A line in which signs of the same shape and width replace those that a CI reads as a command. */
export const harmless = (line: string): string =>
  line.replace(/^::/, '\u2236:').replace(/##(?=[\w-]*\[)/g, '#\u266f');
