import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What is read of `gate.json`. */
interface Document {
  readonly clauses: readonly { readonly id: string; readonly verdict: string }[];
}

/** The verdict on each clause by its id, out of a folder of reports; none where `gate.json` could not be written. */
export async function verdictsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(path.join(folder, 'gate.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return new Map();
  const { clauses }: Document = JSON.parse(text);
  return new Map(clauses.map(({ id, verdict }) => [id, verdict]));
}

/** The ids of the clauses that are violated, in the order of the contract. */
export const violatedOf = (verdicts: ReadonlyMap<string, string>): string[] =>
  [...verdicts].flatMap(([id, verdict]) => (verdict === 'violated' ? [id] : []));
