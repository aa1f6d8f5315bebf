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
  let length = 0;
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+|$)/g)) {
    // Blanks at the end.
    if (word === '') break;
    const further = blanks.length + size(word);
    if (line !== '' && length + further > width) {
      lines.push(line);
      line = '';
    }
    length = line === '' ? size(word) : length + further;
    line = line === '' ? word : line + blanks + word;
    if (length <= width || (isLog && isAddress.test(word))) continue;
    const signs = [...line];
    const whole = Math.ceil(length / width) - 1;
    for (let index = 0; index < whole; index += 1)
      lines.push(signs.slice(index * width, (index + 1) * width).join(''));
    line = signs.slice(whole * width).join('');
    length -= whole * width;
  }
  return [...lines, line].map(harmless);
}

/** A line in which signs of the same shape and width replace those that a CI reads as a command, also behind blanks. */
export const harmless = (line: string): string =>
  line.replace(/^(\s*)::/, '$1\u2236:').replace(/##(?=[\w-]*\[)/g, '#\u266f');
