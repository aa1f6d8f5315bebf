import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mask } from '../contract/secrets/masked.ts';
import { PactError, readPact } from './pact.ts';
import type { Source } from './verification.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** An installed package holds no pacts of this project, so the default is `pacts/` in the current folder. */
const isPackage = root.includes(`${path.sep}node_modules${path.sep}`);

/** Where pacts are if none are named. @param withExample whether its endpoint, the sandbox's, is there */
export function defaultPlaces(withExample: boolean): readonly string[] {
  if (isPackage) return ['pacts'];
  return ['pacts', ...(withExample ? ['pacts/sandbox'] : [])].map((name) => path.join(root, name));
}

/**
 * The pacts in files, and in the `*.json` files of folders, each once, in the order of their paths.
 * @returns them, and a line for each pact that is for another provider
 * @throws PactError when there is no pact of the provider, or a file cannot be read
 */
export async function localPacts(providerName: string, places: readonly string[]) {
  const files = [...new Set((await Promise.all(places.map(filesIn))).flat())].sort();
  const found = await Promise.all(files.map((file) => pactIn(file, providerName)));
  const sources = found.filter(({ pact }) => pact.provider === providerName);
  const notes = found
    .filter((candidate) => !sources.includes(candidate))
    .map(({ pact, from }) => `${from}: passed over, its provider is "${mask(pact.provider)}"`);
  if (sources.length > 0) return { sources, notes };
  const others = [...new Set(found.map(({ pact }) => `"${mask(pact.provider)}"`))].join(', ');
  throw new PactError(
    `no pact of the provider "${providerName}", but of ${others}: set PACT_PROVIDER_NAME to its name in your pacts`,
  );
}

async function filesIn(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (found === undefined)
    throw new PactError(
      `${place}: no such file or folder; without names PACT_BROKER_BASE_URL selects a broker's pacts`,
    );
  if (!found.isDirectory()) return [path.resolve(place)];
  const names = (await readdir(place)).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new PactError(`${place}: the folder holds no pact (*.json)`);
  return names.map((name) => path.resolve(place, name));
}

/** The pact in a file, displayed by its path in this folder. @throws PactError */
async function pactIn(file: string, providerName: string): Promise<Source> {
  const from = path.relative('', file);
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new PactError(`${from}: it cannot be read (${code})`);
  });
  return { pact: readPact(text, providerName), from, pending: false };
}
