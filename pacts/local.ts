import { existsSync, globSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parsedJson, textIn } from '../contract/json-value.ts';
import { masked } from '../contract/secrets/masked.ts';
import { printable } from '../contract/secrets/printable.ts';
import { type Pact, PactError, readPact, unreadPact, withoutMark } from './pact.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** An installed package holds no pacts of this project, so the default is `pacts/` in the current folder. */
const isPackage = root.includes(`${path.sep}node_modules${path.sep}`);

/** A pact, and its displayed origin, such as the path of its file. */
export interface LocalPact {
  readonly pact: Pact;
  readonly from: string;
  /** Why the pact cannot be read, without credentials. Its `pact` is then the one of `unreadPact`. */
  readonly unreadable?: string;
}

interface LocalOptions {
  /** Whether to include the example's pact: its endpoint is the sandbox's. */
  readonly example?: boolean;
  /** Called with a line for each pact in a folder that is for another provider. */
  readonly onPassedOver?: (line: string) => void;
}

/**
 * The pacts in files, in the order of their paths.
 * @param named files, and folders whose `*.json` files are read. Without any, this project's own pacts are read;
 * they apply to the provider under any name.
 * @throws PactError when there is no pact of the provider, or a named file cannot be read or is for another provider
 */
export async function localPacts(
  providerName: string,
  named: readonly string[] = [],
  { example = true, onPassedOver }: LocalOptions = {},
): Promise<LocalPact[]> {
  const isDefault = named.length === 0 && isPackage;
  if (isDefault && !existsSync('pacts'))
    throw new PactError(
      'there is no folder pacts/ here: set PACT_BROKER_BASE_URL for the pacts of a broker, or name files or folders',
    );
  const paths = isDefault ? ['pacts'] : named;
  const own = ['pacts/*.json', ...(example ? ['pacts/sandbox/*.json'] : [])];
  const files = paths.length === 0 ? ownFiles(own) : await filesIn(paths);
  if (files.length === 0)
    throw new PactError('pacts/ holds no pact: npm run pact:consumer writes it');
  const found = await Promise.all(files.map((file) => localPact(file, providerName)));
  if (paths.length === 0)
    return found.map((one) => ({ ...one, pact: renamed(one.pact, providerName) }));
  const byName = new Set(paths.map((place) => path.resolve(place)));
  const ours = found.filter(({ pact, from }, index) => {
    if (pact.provider === providerName) return true;
    if (byName.has(files[index] ?? '')) checkProvider(pact, providerName, from);
    onPassedOver?.(passedOver(from, pact.provider));
    return false;
  });
  if (ours.length === 0) throw noPactOf(providerName);
  return ours;
}

/** The line about a pact of another provider, without credentials. */
const passedOver = (from: string, provider: string): string =>
  printable(masked(`${from}: passed over, its provider is "${provider}"`));

const noPactOf = (providerName: string): PactError =>
  new PactError(
    `no pact of the provider "${providerName}": set PACT_PROVIDER_NAME to its name in your pacts`,
  );

/** @throws PactError when a pact is of another provider */
export function checkProvider(
  { provider }: Pick<Pact, 'provider'>,
  providerName: string,
  from: string,
): void {
  if (provider !== providerName)
    throw new PactError(
      `${from}: its provider is "${provider}", not "${providerName}": set PACT_PROVIDER_NAME if that is this provider`,
    );
}

const renamed = (pact: Pact, provider: string): Pact => ({
  ...pact,
  provider,
  document: { ...pact.document, provider: { name: provider } },
});

const ownFiles = (patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root })
    .sort()
    .map((name) => path.join(root, name));

/** The files and the `*.json` files of folders, each once, sorted. @throws PactError when one is missing */
const filesIn = async (places: readonly string[]): Promise<string[]> =>
  [...new Set((await Promise.all(places.map(inside))).flat())].sort();

async function inside(place: string): Promise<string[]> {
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) throw new PactError(`${place}: no such file or folder`);
  if (!found.isDirectory()) return [path.resolve(place)];
  const names = (await readdir(place)).filter((name) => name.endsWith('.json'));
  if (names.length === 0) throw new PactError(`${place}: the folder holds no pact (*.json)`);
  return names.map((name) => path.resolve(place, name));
}

/** @throws PactError when the file cannot be read */
async function localPact(file: string, providerName: string): Promise<LocalPact> {
  const from = path.relative('', file);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new PactError(`${from}: it cannot be read (${error.code})`);
  });
  return pactIn(text, from, providerName);
}

/** The pact in a text. An unreadable one has the names that it holds, and the reason. */
export function pactIn(text: string, from: string, providerName: string): LocalPact {
  try {
    return { pact: readPact(text, from), from };
  } catch (error) {
    if (!(error instanceof PactError)) throw error;
    const document = parsedJson(withoutMark(text));
    const consumer = textIn(document, 'consumer', 'name') || 'a consumer without a name';
    const provider = textIn(document, 'provider', 'name') || providerName;
    const unreadable = masked(error.message.replace(`${from}: `, ''));
    return { pact: unreadPact(consumer, provider), from, unreadable };
  }
}
