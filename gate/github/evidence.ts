import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The parts of `gate.json` that are used. */
interface Document {
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
}

/** The verdict on each clause by its id, from a folder of reports; empty if `gate.json` could not be written. */
export async function verdictsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(folder, 'gate.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return new Map();
  const { clauses }: Document = JSON.parse(text);
  return new Map(clauses.map(({ id, verdict }) => [id, verdict]));
}

/** The ids of the clauses that are violated, in the order of the contract. */
export const violatedOf = (verdicts: ReadonlyMap<string, string>): string[] =>
  [...verdicts].flatMap(([id, verdict]) => (verdict === 'violated' ? [id] : []));
