import { globSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Pact, PactError, providerName, readPact } from './pact.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A pact in a file, and the path of that file as it is shown. */
export interface LocalPact {
  readonly pact: Pact;
  readonly from: string;
}

/**
 * The pacts in files, in the order of their paths.
 * @param paths files, and folders whose `*.json` are meant; unless given those below `pacts/` of this project
 * @param example whether the example's is among these: its endpoint is the sandbox's
 * @throws PactError when there is none, or one that cannot be read or is of another provider
 */
export async function localPacts(
  paths: readonly string[] = [],
  { example = true } = {},
): Promise<LocalPact[]> {
  const own = ['pacts/*.json', ...(example ? ['pacts/example/pacts/*.json'] : [])];
  const files = paths.length === 0 ? ownFiles(own) : (await Promise.all(paths.map(inside))).flat();
  if (files.length === 0)
    throw new PactError('pacts/ holds no pact: npm run pact:consumer writes it');
  return Promise.all([...new Set(files)].sort().map(localPact));
}

const ownFiles = (patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root }).map((name) => path.join(root, name));

async function inside(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) throw new PactError(`${place}: no such file or folder`);
  if (!found.isDirectory()) return [path.resolve(place)];
  const names = (await readdir(place)).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new PactError(`${place}: the folder holds no pact (*.json)`);
  return names.map((name) => path.resolve(place, name));
}

async function localPact(file: string): Promise<LocalPact> {
  const from = path.relative('', file);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new PactError(`${from}: it cannot be read (${error.code})`);
  });
  const pact = readPact(text, from);
  if (pact.provider !== providerName)
    throw new PactError(`${from}: its provider is "${pact.provider}", not "${providerName}"`);
  return { pact, from };
}
