import { LineCounter, parseDocument } from 'yaml';
import type { Path, Position } from './complaints.ts';
import { NotYaml, notYaml } from './not-yaml.ts';
import { type Holder, isHolder, NodeReader, startOf } from './yaml-data.ts';

/** A YAML text as plain data, with the position of each value. */
export interface Document {
  readonly value: unknown;
  /** The position of a name or of an item of a list; for a missing one, the position of its parent. */
  nameAt(path: Path): Position;
  /** The position of a value. A value that comes from an alias or a merge key is where it was written. */
  valueAt(path: Path): Position;
  /** A number, a text or the like as it is written, if it is not an alias. */
  writtenAt(path: Path): string | undefined;
}

/** Enough for thousands of targets. Each alias counts with its whole content. */
const mostValues = 500_000;
const deepest = 100;

/**
 * Reads YAML 1.2 with merge keys. Aliases share one value, so a file that multiplies itself costs nothing before it
 * is refused. The library's own limit would refuse valid files that use one anchor a hundred times.
 * @throws NotYaml
 */
export function readYaml(text: string): Document {
  const lineCounter = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const { contents, errors, warnings } = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    schema: 'core',
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const wrong = [...errors, ...warnings];
  if (wrong.length > 0) throw notYaml(wrong, position);
  const reader = new NodeReader((offset, sentence) => {
    throw new NotYaml([{ ...position(offset), sentence }]);
  });
  const value = reader.read(contents);
  const { size, depth } = extent(value, new Map());
  const sentence = 'the file, its aliases counted, is too large or nested too deeply';
  if (size > mostValues || depth > deepest) throw new NotYaml([{ line: 1, column: 1, sentence }]);
  const find = (path: Path) => reader.find(path, value, startOf(contents));
  return {
    value,
    nameAt: (path) => position(find(path).name),
    valueAt: (path) => position(find(path).value),
    writtenAt: (path) => find(path).written,
  };
}

interface Extent {
  readonly size: number;
  readonly depth: number;
}

/** The number of values, and their depth. Each alias counts with its whole content. */
function extent(value: unknown, known: Map<Holder, Extent>): Extent {
  if (!isHolder(value)) return { size: 1, depth: 0 };
  const before = known.get(value);
  if (before !== undefined) return before;
  let size = 1;
  let depth = 0;
  for (const one of Object.values(value)) {
    const inner = extent(one, known);
    size += inner.size;
    depth = Math.max(depth, inner.depth + 1);
  }
  known.set(value, { size, depth });
  return { size, depth };
}
