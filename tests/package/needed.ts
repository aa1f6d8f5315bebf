import path from 'node:path';
import { type Import, importsOf } from '../house/imports.ts';
import { programs, textOf } from '../house/tree.ts';

const imports = importsOf(programs).filter(({ typeOnly }) => !typeOnly);

/** What programs need at run time. */
export interface Needed {
  /** The programs, all files that they import, and all files that these read by a relative URL. */
  readonly files: ReadonlySet<string>;
  /** The imports of packages. */
  readonly packages: readonly Import[];
}

/** @param entries the files that are started, by their paths from the root */
export function neededBy(entries: readonly string[]): Needed {
  const files = new Set(entries);
  for (const file of files) {
    for (const { from, to, ours } of imports) if (ours && from === file) files.add(to);
    for (const [, name = ''] of textOf(file).matchAll(
      /new URL\('([^']+\.\w+)', import\.meta\.url\)/g,
    ))
      files.add(path.posix.join(path.posix.dirname(file), name));
  }
  const packages = imports.filter(
    ({ from, to, ours }) => !ours && files.has(from) && !to.startsWith('node:'),
  );
  return { files, packages };
}
