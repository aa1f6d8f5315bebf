import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import type { Figure } from './figure.ts';

const page = new URL('./README.md', import.meta.url);
const row = /^\| (.*) \| (.*) \| (.*) \| (.*) \|$/gm;
const heading = '| figure | bound | measured | when, and on what |';

/** The key of a figure's row: its name without the measured numbers. A number of targets stays: it is chosen. */
const keyOf = (what: string): string => what.replace(/[\d.,]+(?![\d.,]| targets)/g, '#');

/** Writes figures into the table of this folder's README. */
export async function writeTable(figures: readonly Figure[]): Promise<void> {
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${day}, ${os.availableParallelism()} × ${os.cpus()[0]?.model ?? os.arch()}`;
  await writeFile(page, withFigures(await readFile(page, 'utf8'), figures, machine));
}

/** The page with the figures in its table. Rows of figures that were not measured now stay. */
export function withFigures(text: string, figures: readonly Figure[], machine: string): string {
  const [start, end] = ['<!-- bench -->', '<!-- bench:end -->'].map((mark) => text.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error('tools/bench/README.md has no place for the table');
  const rows = new Map<string, string>();
  for (const [line, what = ''] of text.slice(start, end).matchAll(row))
    if (line !== heading && !what.startsWith('-')) rows.set(keyOf(what), line);
  for (const { what, value, bound, kept } of figures)
    if (kept !== undefined)
      rows.set(
        keyOf(what),
        `| ${what} | ${bound ?? ''} | ${kept ? '' : '✗ '}${value} | ${machine} |`,
      );
  const table = [heading, '|---|---|---|---|', ...rows.values()].join('\n');
  return `${text.slice(0, start)}<!-- bench -->\n${table}\n${text.slice(end)}`;
}
