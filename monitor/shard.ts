import { hash } from 'node:crypto';
import type { Shard } from '../config/accepted.ts';

/** What a shard knows about all shards. */
export interface Share {
  readonly shard: Shard;
  /** The names of all targets in the file, also of other shards. */
  readonly names: readonly string[];
}

/** The targets of a file that a shard watches. Every shard gets the same result without communication. */
export const ownOf = <Target extends { readonly name: string }>(
  targets: readonly Target[],
  { number, of }: Shard,
): Target[] => targets.filter(({ name }) => shardOf(name, of) === number);

/**
 * The shard of a target, from 1 up, by rendezvous hashing: the shard whose hash with the name is greatest. So a new
 * shard takes over only its own share.
 */
export function shardOf(name: string, of: number): number {
  let owner = { number: 1, weight: '' };
  for (let number = 1; number <= of; number++) {
    const weight = hash('sha256', `${number}/${name}`);
    if (weight > owner.weight) owner = { number, weight };
  }
  return owner.number;
}
