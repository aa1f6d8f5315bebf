import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArgumentError } from '../config/command-line.ts';
import { readShared } from './run.ts';

/*
 * The specs of a team, which run against the same provider: `npm run gate -- --specs FOLDER`. They import `test` and
 * `expect` from `public-api-contract`, wherever this project is installed.
 */

const pattern = '**/*.{spec,test}.{ts,mts,js,mjs}';

/** The spec files in a folder. @throws ArgumentError if there are none */
export function specsIn(folder: string): string[] {
  const files = globSync(pattern, { cwd: folder, exclude: ['**/node_modules/**'] }).sort();
  if (files.length > 0) return files.map((file) => path.resolve(folder, file));
  throw new ArgumentError(`--specs ${folder} is not a folder with spec files (${pattern})`);
}

/** The spec files of this run. Their import of this project leads to this copy of it, whatever is installed. */
export function ownSpecs(): string[] {
  const { specs: folder } = readShared();
  if (folder === undefined) return [];
  const url = new URL('fixtures.ts', import.meta.url);
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== 'public-api-contract') return next(specifier, context);
      return next(context.conditions.includes('require') ? fileURLToPath(url) : url.href, context);
    },
  });
  return specsIn(folder);
}
