import { pathToFileURL } from 'node:url';
import { type MutantCase, mutantCases } from '../gate/mutant-case.ts';
import { ours } from './process.ts';
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
  const chosen = mutantCases
    .filter((mutant) => isSampled(mutant.name, 4) || isAffected(mutant))
    .map(({ name }) => name);
  const left = mutantCases.length - chosen.length;
  const reason = 'fault of the sandbox that only npm run test:nightly tries';
  return { chosen, left: new Map(left > 0 ? [[reason, left]] : []) };
}

/** @param changed files @returns whether a fault is in a list of one of them, or is caught by a probe in one of them */
export async function affectedBy(
  changed: readonly string[],
): Promise<(mutant: Pick<MutantCase, 'name' | 'caughtBy'>) => boolean> {
  const files = changed.filter((file) => /^sandbox\/faults\/.*\.ts$/.test(file));
  const modules: Readonly<Record<string, unknown>>[] = await Promise.all(
    files.map((file) => import(pathToFileURL(ours(file)).href)),
  );
  const lists = modules.flatMap((module) => Object.values(module).filter(Array.isArray));
  const names = new Set(lists.flat().map((fault: Readonly<{ name?: string }>) => fault.name));
  return ({ name, caughtBy }) =>
    names.has(name) || caughtBy.some((probe) => changed.includes(`probes/${probe}.ts`));
}
