import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/** How a stream wants to be written to. */
export interface Look {
  readonly columns: number;
  /** Not a terminal: there addresses stay whole, for who follows or copies one. */
  readonly isLog?: boolean;
  readonly paint: (format: Format, text: string) => string;
}

/**
 * Colour on a terminal only, unless NO_COLOR or FORCE_COLOR says otherwise; never wider than a line is read with ease.
 */
export function lookOf(stream: NodeJS.WriteStream): Look {
  const columns = stream.isTTY && stream.columns > 0 ? stream.columns : 80;
  return {
    columns: Math.min(Math.max(columns, 40), 120),
    isLog: !stream.isTTY,
    paint: (format, text) => styleText(format, text, { stream }),
  };
}

/** Without colour, at a width. */
export const plain = (columns = 80): Look => ({ columns, paint: (_format, text) => text });

const isAddress = /^[a-z][a-z\d+.-]*:\/\//i;

const size = (text: string): number => [...text].length;

/**
 * Breaks a text into lines at its blanks, and a word that is longer than a line anywhere.
 * In a log addresses stay whole.
 * No line looks like a command to the CI that reads the log: `::error::` (GitHub), `##vso[` (Azure), `##teamcity[`.
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

/** A line in which signs of the same look and width take the place of those that a CI reads as a command. */
export const harmless = (line: string): string =>
  line.replace(/^::/, '\u2236:').replace(/##(?=[\w-]*\[)/g, '#\u266f');
