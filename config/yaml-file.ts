import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import { Unaccepted } from './accepted.ts';
import { largest, readText } from './files.ts';
import { SettingsError } from './mistakes.ts';

/** A YAML file as plain data, with the position of each value. */
export interface YamlFile {
  readonly name: string;
  readonly value: unknown;
  /**
   * Where a value begins, or its name: an offset in the file. A missing value is where its map begins, and a value of
   * an alias is where it was written.
   * @param path from the top of the file: `['targets', 0, 'url']`
   */
  offsetOf(path: readonly (string | number)[], of: 'name' | 'value'): number;
  /** @returns `monitor.yaml:12:5` */
  position(offset: number): string;
}

/** More than thousands of targets that share an anchor need. */
const mostAliases = 100_000;

/** @throws SettingsError of one line, which quotes nothing of the file: it may be a credential */
export function readYaml(file: string): YamlFile {
  const lineCounter = new LineCounter();
  const position = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const refuse = (offset: number, why: string): never => {
    throw new SettingsError([`${position(offset)}: ${why}`]);
  };
  const options = {
    prettyErrors: false,
    stringKeys: true,
    merge: true,
    logLevel: 'error',
  } as const;
  const document = parseDocument(textOf(file), {
    ...options,
    lineCounter,
    resolveKnownTags: false,
  });
  // The first mistake often causes the others.
  for (const { code, pos } of [...document.errors, ...document.warnings].slice(0, 1))
    refuse(pos[0], `is not YAML: ${code.toLowerCase().replaceAll('_', ' ')}`);
  visit(document, {
    Alias(_, node) {
      if (node.resolve(document) === undefined)
        refuse(
          startOf(node),
          'is an alias (*) without an anchor (&) above it: a text needs quotes',
        );
    },
    // The numbers of a query stay as they are written: 1.10 is not 1.1.
    Scalar(key, node, path) {
      const names = path.filter(isPair).map((pair) => String(pair.key));
      if (key !== 'key' && names.slice(1, 3).join() === 'endpoints,query')
        node.value = typeof node.value === 'number' ? node.source : node.value;
    },
  });
  const offsetOf: YamlFile['offsetOf'] = (path, of) => offsetIn(document, path, of);
  try {
    const value = document.toJS({ maxAliasCount: mostAliases });
    return { name: file, value, offsetOf, position };
  } catch {
    return refuse(0, 'has too many aliases (*), or merges (<<) what is not a map');
  }
}

function textOf(file: string): string {
  try {
    return readText(file, largest.targets);
  } catch (error) {
    throw error instanceof Unaccepted ? new SettingsError([`${file} ${error.message}`]) : error;
  }
}

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0);

function offsetIn(
  document: Document,
  path: readonly (string | number)[],
  of: 'name' | 'value',
): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    const holder = isAlias(node) ? node.resolve(document) : node;
    const pairs = isMap(holder) ? holder.items : [];
    // What a merge key adds is where that is.
    const pair = [step, '<<']
      .map((name) => pairs.find(({ key }) => String(key) === name))
      .find((found) => found !== undefined);
    node = isSeq(holder) ? holder.items[Number(step)] : pair?.value;
    if (node === undefined) return offset;
    const isEmpty = isScalar(node) && node.source === '';
    const isName = pair !== undefined && (isEmpty || (of === 'name' && index === path.length - 1));
    offset = startOf(isName ? pair.key : node);
  }
  return offset;
}
