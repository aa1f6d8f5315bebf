import { wrap } from '../../contract/report/terminal-style.ts';

const longest = 400;

/** Makes a foreign text safe inside a line of output: no control characters, and no workflow command of a CI. */
export function oneLine(text: string): string {
  const [line = ''] = wrap(text.replace(/[^\P{C}]+/gu, ' '), Number.POSITIVE_INFINITY);
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
