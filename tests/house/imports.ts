import path from 'node:path';
import type { SourceFile } from './tree.ts';

/** An import of another file or of a package. */
export interface Import {
  readonly from: string;
  /** A path from the root, or the name of a package: `node:http`, `@playwright/test`. */
  readonly to: string;
  readonly ours: boolean;
  /** Whether the import is only of types, and so absent at run time. */
  readonly typeOnly: boolean;
  /** The imported names; `*` for everything. */
  readonly names: readonly string[];
}

/** A statement starts at the beginning of a line (the formatter ensures that), so quoted text does not match. */
const statement = /^(?:import|export)\s+(type\s+)?(?:([\w$*\s{},]+?)\s+from\s+)?'([^']+)'/gm;
const call = /\b(?:import(?:\.meta\.resolve)?|getBuiltinModule)\(\s*'([^']+)'/g;

/** Everything that programs import. */
export function importsOf(files: readonly SourceFile[]): Import[] {
  return files.flatMap(({ path: from, text }) => [
    ...[...text.matchAll(statement)].map(([, typeOnly, clause = '', to = '']) =>
      read(from, to, typeOnly !== undefined, namesIn(clause)),
    ),
    ...[...text.matchAll(call)].map(([, to = '']) => read(from, to, false, ['*'])),
  ]);
}

function read(from: string, to: string, typeOnly: boolean, names: readonly string[]): Import {
  if (to.startsWith('.'))
    return { from, to: path.posix.join(path.posix.dirname(from), to), ours: true, typeOnly, names };
  const parts = to.split('/');
  const name = parts.slice(0, to.startsWith('@') ? 2 : 1).join('/');
  return { from, to: name, ours: false, typeOnly, names };
}

/** For `{ open as look, type Secret }` the result is `open` and `Secret`. */
function namesIn(clause: string): string[] {
  if (!clause.includes('{')) return ['*'];
  return clause
    .replace(/^.*\{|\}.*$/gs, '')
    .split(',')
    .map((name) => name.trim().replace(/^type\s+|\s+as\s.*$/g, ''))
    .filter((name) => name !== '');
}
