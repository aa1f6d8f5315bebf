import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';

const decimals = { min: 1, ms: 1, s: 2, MB: 0, '×': 2 };

export interface Measured {
  /** In the unit of its row. */
  readonly value: number;
  /** What was measured beside it. */
  readonly note?: string;
}

/** A row of the table in README.md: something that `npm run bench` measures. */
export interface Row {
  readonly what: string;
  readonly unit: keyof typeof decimals;
  /** The largest accepted value. */
  readonly max: number;
  /** The page with its table, if it is not README.md of this folder. */
  readonly page?: URL;
  /** @param folder a scratch folder */
  measure(folder: string): Promise<Measured>;
}

export type Rows = Readonly<Record<string, Row>>;

export const shown = (value: number, unit: Row['unit']): string =>
  `${value.toFixed(decimals[unit])} ${unit}`;

export const isWithinBound = ({ max }: Row, { value }: Measured): boolean => value <= max;

/** The cells of a row: the figure, its bound, and what was measured. */
export function formatCells(
  row: Row,
  measured: Measured,
): [what: string, bound: string, is: string] {
  const { what, max, unit } = row;
  const mark = isWithinBound(row, measured) ? '' : '✗ ';
  const note = measured.note === undefined ? '' : `: ${measured.note}`;
  return [what, `${max} ${unit}`, `${mark}${shown(measured.value, unit)}${note}`];
}

/** Writes what was measured into its page, in place of an earlier measurement. */
export async function writeRow(row: Row, measured: Measured): Promise<void> {
  const { page = new URL('./README.md', import.meta.url) } = row;
  const day = new Date().toISOString().slice(0, 10);
  const machine = `${day}, ${os.availableParallelism()} × ${os.cpus()[0]?.model ?? os.arch()}`;
  const line = `| ${[...formatCells(row, measured), machine].join(' | ')} |`;
  await writeFile(page, withRow(await readFile(page, 'utf8'), line));
}

/** A page with this line in its table, in place of one with the same first cell. */
export function withRow(text: string, line: string): string {
  const lines = text.split('\n');
  const earlier = lines.findIndex((oldLine) => oldLine.split(' | ')[0] === line.split(' | ')[0]);
  if (earlier >= 0) lines[earlier] = line;
  else lines.splice(lines.indexOf('<!-- bench:end -->'), 0, line);
  return lines.join('\n');
}
