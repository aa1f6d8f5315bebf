import { type Alias, isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { Path } from './complaints.ts';

export type Holder = Record<string, unknown> | unknown[];

/** The beginning of a name and of its value: offsets in the text. */
export interface TextPosition {
  readonly name: number;
  readonly value: number;
  /** A number, a text or the like as it is written; undefined for an alias, a map and a list. */
  readonly written?: string | undefined;
}

export const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null;

const writtenOf = (node: unknown): string | undefined => (isScalar(node) ? node.source : undefined);

export const startOf = (node: unknown): number =>
  isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;

/** The value of an anchor; it is not finished while its own text is being read. */
interface Anchored {
  value: unknown;
  done: boolean;
}

/** Converts YAML nodes to plain data, in which an alias is the same object as its anchor. */
export class NodeReader {
  /** The positions of everything in a map or a list. */
  readonly #places = new WeakMap<Holder, Map<string, TextPosition>>();
  readonly #anchors = new Map<string, Anchored>();
  readonly #refuse: (offset: number, sentence: string) => never;

  /** @param refuse called for an alias or a merge key without a target */
  constructor(refuse: (offset: number, sentence: string) => never) {
    this.#refuse = refuse;
  }

  read(node: unknown): unknown {
    if (isAlias(node)) return this.#follow(node);
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return null;
    const anchored: Anchored = { value: null, done: false };
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, anchored);
    anchored.value = isScalar(node)
      ? node.value
      : isMap(node)
        ? this.#mapOf(node)
        : this.#listOf(node.items);
    anchored.done = true;
    return anchored.value;
  }

  /** The position of a value; for a missing one, of its parent. @param start where the root begins */
  find(path: Path, root: unknown, start: number): TextPosition {
    let place: TextPosition = { name: start, value: start };
    let holder = root;
    for (const step of path) {
      const next = isHolder(holder) ? this.#places.get(holder)?.get(String(step)) : undefined;
      if (next === undefined) return { name: place.value, value: place.value };
      place = next;
      holder = Object.getOwnPropertyDescriptor(holder, step)?.value;
    }
    return place;
  }

  #follow(alias: Alias): unknown {
    const anchored = this.#anchors.get(alias.source);
    if (anchored === undefined)
      return this.#refuse(startOf(alias), 'no anchor of this name precedes its alias');
    if (!anchored.done) return this.#refuse(startOf(alias), 'the alias is inside its own anchor');
    return anchored.value;
  }

  #listOf(items: readonly unknown[]): unknown[] {
    const own = items.map((item, index) => {
      const start = startOf(item);
      return [String(index), { name: start, value: start, written: writtenOf(item) }] as const;
    });
    const list = items.map((item) => this.read(item));
    this.#places.set(list, new Map(own));
    return list;
  }

  #mapOf({ items }: YAMLMap): Record<string, unknown> {
    const own = new Map<string, TextPosition>();
    const values = new Map<string, unknown>();
    const sources: (readonly [offset: number, source: unknown])[] = [];
    for (const { key, value } of items) {
      const name = startOf(key);
      const at = isScalar(value) && value.source === '' ? name : startOf(value);
      if (!isScalar(key)) return this.#refuse(name, 'a name must be a text');
      if (key.value === '<<' && key.type === 'PLAIN') sources.push([at, this.read(value)]);
      else {
        own.set(String(key.value), { name, value: at, written: writtenOf(value) });
        values.set(String(key.value), this.read(value));
      }
    }
    for (const [offset, source] of sources) this.#merge(source, offset, own, values);
    const map = Object.fromEntries(values);
    this.#places.set(map, own);
    return map;
  }

  /** A map's own entries have priority over merged ones, and an earlier source over a later one. */
  #merge(
    source: unknown,
    offset: number,
    own: Map<string, TextPosition>,
    values: Map<string, unknown>,
  ): void {
    for (const one of Array.isArray(source) ? source : [source]) {
      if (!isHolder(one) || Array.isArray(one))
        this.#refuse(offset, 'a merge key takes a map, or a list of maps');
      for (const [name, value] of Object.entries(one)) {
        const place = this.#places.get(one)?.get(name);
        if (values.has(name) || place === undefined) continue;
        values.set(name, value);
        own.set(name, place);
      }
    }
  }
}
