import { type Accepted, NotAccepted } from './accepted.ts';

/** One of several monitors that divide the targets of one file. */
export interface Shard {
  /** Counted from 1. */
  readonly number: number;
  readonly of: number;
}

/** A shard holds thousands of targets, so more shards are a mistake. */
const most = 100;

export const shard: Accepted<Shard> = {
  words: `index and total of the shards, such as 2/5: two whole numbers, the first from 1 up to the second, which is at most ${most}`,
  read(text) {
    const [number = 0, of = 0] = /^\d{1,3}\/\d{1,3}$/.test(text) ? text.split('/').map(Number) : [];
    if (number < 1 || number > of || of > most) throw new NotAccepted('is', text);
    return { number, of };
  },
};
