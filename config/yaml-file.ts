import * as yaml from 'yaml';
import { Unaccepted } from './accepted.ts';
import { largest, readText } from './files.ts';
import { SettingsError } from './mistakes.ts';

/** A YAML file as plain data, with the position of each value. */
export type YamlFile = ReturnType<typeof readYaml>;

/** More than thousands of targets that share an anchor need. */
const maxAliasCount = 100_000;
const strict = { prettyErrors: false, stringKeys: true, resolveKnownTags: false } as const;

/** @throws SettingsError of one line, which quotes nothing of the file: it may be a credential */
export function readYaml(file: string) {
  const lineCounter = new yaml.LineCounter();
  /** `monitor.yaml:12:5` */
  const position = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const refuse = (offset: number, why: string): never => {
    throw new SettingsError([`${position(offset)}: ${why}`]);
  };
  const options = { ...strict, merge: true, logLevel: 'error', lineCounter } as const;
  const text = textOf(file);
  const document = yaml.parseDocument(text, options);
  // The first mistake often causes the others.
  for (const { code, pos } of [...document.errors, ...document.warnings].slice(0, 1))
    refuse(pos[0], `is not YAML: ${code.toLowerCase().replaceAll('_', ' ')}`);
  yaml.visit(document, {
    Alias(_, node) {
      const why = 'is an alias (*) without an anchor (&) above it: a text needs quotes';
      if (node.resolve(document) === undefined) refuse(startOf(node), why);
    },
    // The numbers of a query stay as they are written: 1.10 is not 1.1.
    Scalar(key, node, path) {
      const names = path.filter(yaml.isPair).map((pair) => String(pair.key));
      if (key !== 'key' && names.slice(1, 3).join() === 'endpoints,query')
        node.value = typeof node.value === 'number' ? node.source : node.value;
    },
  });
  try {
    const value: unknown = document.toJS({ maxAliasCount });
    return { text, value, position, offsetOf: (where: Place) => startOf(nodeAt(document, where)) };
  } catch {
    return refuse(0, 'has too many aliases (*), or merges (<<) what is not a map');
  }
}

/** A YAML text with more entries in a list of its top level. Comments and order stay. */
export function withEntries(text: string, name: string, entries: readonly object[]): string {
  const document = yaml.parseDocument(text);
  if (!yaml.isSeq(document.get(name))) document.set(name, document.createNode([]));
  for (const entry of entries) document.addIn([name], document.createNode(entry));
  const list = document.get(name);
  if (yaml.isSeq(list)) list.flow = false;
  return document.toString({ lineWidth: 0 });
}

function textOf(file: string): string {
  try {
    return readText(file, largest.targets);
  } catch (error) {
    throw error instanceof Unaccepted ? new SettingsError([`${file} ${error.message}`]) : error;
  }
}

const startOf = (node: unknown): number => (yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0);

/** A place in a file. */
export interface Place {
  /** `['targets', 0, 'url']`; a value that is missing is where its map begins. */
  readonly path: readonly (string | number)[];
  /** Whether the name at the end of the path is meant, not its value. */
  readonly isName?: boolean;
}

function nodeAt(document: yaml.Document, { path, isName = false }: Place): unknown {
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
