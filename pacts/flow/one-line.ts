import { wrap } from '../../contract/report/terminal-style.ts';

const longest = 400;

/** A foreign text as part of one of our lines: without control characters, and never a command to a CI. */
export function oneLine(text: string): string {
  const [line = ''] = wrap(text.replace(/[^\P{C}]+/gu, ' '), Number.POSITIVE_INFINITY);
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
