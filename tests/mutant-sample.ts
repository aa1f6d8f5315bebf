import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { probes } from '../probes/index.ts';
import { type FaultCase, faultCases, tables } from './faults/index.ts';
import { fromRoot } from './process.ts';
import { gitLines, isSampled } from './sample.ts';

/**
 * The names of the faults that this run tries: in `npm test` a quarter of them, and those of changed areas.
 * @returns also how many others there are, by the reason
 */
export async function sampledFaults(): Promise<{
  readonly chosen: readonly string[];
  readonly left: ReadonlyMap<string, number>;
}> {
  const isAffected = await affectedBy(gitLines('diff', '--name-only', '--diff-filter=d', 'HEAD~1'));
  const chosen = faultCases
    .filter((fault) => isSampled(fault.name, 4) || isAffected(fault))
    .map(({ name }) => name);
  const left = faultCases.length - chosen.length;
  const reason = 'fault of the sandbox that only npm run test:nightly tries';
  return { chosen, left: new Map(left > 0 ? [[reason, left]] : []) };
}

/** @param changed files @returns whether a fault is in one of them, or violates a clause of a probe in one of them */
export async function affectedBy(
  changed: readonly string[],
): Promise<(fault: Pick<FaultCase, 'name' | 'breaks'>) => boolean> {
  const files = changed.filter((file) => /^tests\/faults\/[^.]*\.ts$|^sandbox\/demo/.test(file));
  const modules: object[] = await Promise.all(
    files.map((file) => import(pathToFileURL(fromRoot(file)).href)),
  );
  const changedTables = modules.flatMap(Object.values).filter((value) => tables.includes(value));
  const names = new Set(changedTables.flatMap(Object.keys));
  const texts = changed
    .filter((file) => file.startsWith('probes/'))
    .map((file) => readFileSync(fromRoot(file), 'utf8'));
  const clauses = probes
    .filter(({ name }) => texts.some((text) => text.includes(`name: '${name}'`)))
    .flatMap((probe) => probe.clauses);
  return ({ name, breaks }) => names.has(name) || breaks.some((id) => clauses.includes(id));
}
