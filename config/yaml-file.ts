import * as yaml from 'yaml';
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
  offsetOf(path: readonly (string | number)[], isName?: boolean): number;
  /** @returns `monitor.yaml:12:5` */
  position(offset: number): string;
}

const options = {
  prettyErrors: false,
  stringKeys: true,
  merge: true,
  logLevel: 'error',
  resolveKnownTags: false,
} as const;

/** More than thousands of targets that share an anchor need. */
const maxAliasCount = 100_000;

/** @throws SettingsError of one line, which quotes nothing of the file: it may be a credential */
export function readYaml(file: string): YamlFile {
  const lineCounter = new yaml.LineCounter();
  const position = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const refuse = (offset: number, why: string): never => {
    throw new SettingsError([`${position(offset)}: ${why}`]);
  };
  const document = yaml.parseDocument(textOf(file), { ...options, lineCounter });
  // The first mistake often causes the others.
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined)
    refuse(first.pos[0], `is not YAML: ${first.code.toLowerCase().replaceAll('_', ' ')}`);
  yaml.visit(document, {
    Alias(_, node) {
      if (node.resolve(document) === undefined)
        refuse(
          startOf(node),
          'is an alias (*) without an anchor (&) above it: a text needs quotes',
        );
    },
    // The numbers of a query stay as they are written: 1.10 is not 1.1.
    Scalar(key, node, path) {
      const names = path.filter(yaml.isPair).map((pair) => String(pair.key));
      if (key !== 'key' && names.slice(1, 3).join() === 'endpoints,query')
        node.value = typeof node.value === 'number' ? node.source : node.value;
    },
  });
  try {
    const offsetOf: YamlFile['offsetOf'] = (path, isName) =>
      startOf(nodeAt(document, path, isName));
    return { name: file, value: document.toJS({ maxAliasCount }), offsetOf, position };
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

const startOf = (node: unknown): number => (yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** The node at a path, or of the last name on it; of a path that ends earlier, the last node. */
function nodeAt(
  document: yaml.Document,
  path: readonly (string | number)[],
  isName = false,
): unknown {
  let node: unknown = document.contents;
  let found = node;
  for (const [index, step] of path.entries()) {
    const holder = yaml.isAlias(node) ? node.resolve(document) : node;
    const pairs = yaml.isMap(holder) ? holder.items : [];
    const named = (name: unknown) => pairs.find(({ key }) => String(key) === name);
    // What a merge key adds is where that is.
    const pair = named(step) ?? named('<<');
    node = yaml.isSeq(holder) ? holder.items[Number(step)] : pair?.value;
    if (node === undefined) break;
    const isEmpty = yaml.isScalar(node) && node.source === '';
    const isLastName = isName && index === path.length - 1;
    found = pair !== undefined && (isEmpty || isLastName) ? pair.key : node;
  }
  return found;
}
