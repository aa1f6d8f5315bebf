import { createHash } from 'node:crypto';

/** Random numbers that depend only on a seed, so that they can be reproduced. */
export interface Random {
  /** An integer, with both ends included. */
  between(least: number, most: number): number;
  chance(part: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  shuffled<Item>(items: readonly Item[]): Item[];
  /** An independent generator: drawing from it does not affect others. */
  fork(name: string): Random;
}

/** @param seed any text */
export function random(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32BE();

  /** Mulberry32: from 0 up to 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));

  return {
    between,
    chance: (part) => next() < part,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    shuffled(items) {
      const rest = [...items];
      return items.flatMap(() => rest.splice(between(0, rest.length - 1), 1));
    },
    fork: (name) => random(`${seed} ${name}`),
  };
}
