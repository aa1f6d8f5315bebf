import { hash } from 'node:crypto';
import type { Shard } from '../../settings/shard.ts';

/** What a shard knows of the whole. */
export interface Share {
  readonly shard: Shard;
  /** Of all targets that its file has, for whichever shard. */
  readonly names: readonly string[];
}

/** Of the targets of a file those that a shard watches. Every shard finds the same without asking the others. */
export const ownOf = <Target extends { readonly name: string }>(
  targets: readonly Target[],
  { number, of }: Shard,
): Target[] => targets.filter(({ name }) => shardOf(name, of) === number);

/**
 * The shard that a target belongs to, from 1 up. By rendezvous hashing: the one whose hash together with the name is
 * greatest. So only the share that an added shard takes over moves.
 */
export function shardOf(name: string, of: number): number {
  let owner = { number: 1, weight: '' };
  for (let number = 1; number <= of; number++) {
    const weight = hash('sha256', `${number}/${name}`);
    if (weight > owner.weight) owner = { number, weight };
  }
  return owner.number;
}

/** Tells files apart that do not name the same targets: twelve signs. Their order means nothing. */
export const fingerprint = (names: readonly string[]): string =>
  hash('sha256', names.toSorted().join('\n')).slice(0, 12);
