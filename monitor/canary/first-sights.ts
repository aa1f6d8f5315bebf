import { field } from '../../contract/http/answer.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import type { Time } from '../schedule/time.ts';
import type { StateStore } from '../state/state.ts';
import { type Anchor, type Reading, read } from './age.ts';
import { readingFrom } from './saved.ts';
import { fingerprintOf } from './seal.ts';

interface Sight {
  /** When its first answer had come. */
  readonly at: Reading;
  again: boolean;
}

/** What is needed of the target's monitor. */
export interface SightsContext {
  readonly secretKey: Secret;
  /** Keeps them from one start to the next, under fingerprints of the tokens. */
  readonly state: Pick<StateStore, 'entries' | 'put' | 'remove'>;
  readonly time: Time;
}

/** A provider that gives tokens again gives few; of all others it is enough to know the latest. */
const mostSights = 32;

/** A provider that has given no token again for so long gives new ones. */
const rememberedMs = hours(26);

/** Tokens that count whole seconds are one text when they are of one second. */
const apartMs = seconds(1);

/**
 * When each of the latest tokens was first given. A provider may give a token that is still valid again, also one that
 * another client of the account has had for hours: of such a token only the least age is known.
 */
export class FirstSights {
  readonly #target: string;
  readonly #context: SightsContext;
  /** By the fingerprint of the token, the oldest first. */
  readonly #sights: Map<string, Sight>;
  #latest: Sight | undefined;
  /** When a token was last given again (monotonic). */
  #repeatedAt = Number.NEGATIVE_INFINITY;
  /** Whether another token has ever followed one that was given before it. */
  #hasFollowed = false;

  /** @param target its name */
  constructor(target: string, context: SightsContext) {
    this.#target = target;
    this.#context = context;
    this.#sights = restoredSights(target, context.state);
    this.#latest = [...this.#sights.values()].at(-1);
  }

  /** Takes in a token that the token endpoint gave just now. @param sentAt when it was requested (wall clock) */
  note(token: Secret, sentAt: number): void {
    const name = this.#fingerprint(token);
    const known = this.#sights.get(name);
    if (known === undefined) {
      this.#hasFollowed ||= this.#latest !== undefined && isApart(this.#latest, sentAt);
      this.#latest = this.#add(name);
      return;
    }
    if (!isApart(known, sentAt)) return;
    known.again = true;
    this.#repeatedAt = this.#context.time.monotonic();
  }

  /** From where the age of a token is counted that was noted; undefined when it seems to be new. */
  anchorOf(token: Secret): Anchor | undefined {
    const sight = this.#sights.get(this.#fingerprint(token));
    if (sight === undefined || (!sight.again && !this.areGivenAgain())) return undefined;
    return { least: 0, most: Infinity, s: sight.at, r: sight.at };
  }

  /** Whether a token was given again lately. */
  areGivenAgain(): boolean {
    return this.#context.time.monotonic() - this.#repeatedAt < rememberedMs;
  }

  /** Whether a token that is given now may be older than it seems. */
  mayBeOlder(): boolean {
    return this.areGivenAgain() || (this.#latest !== undefined && !this.#hasFollowed);
  }

  #fingerprint(token: Secret): string {
    return fingerprintOf(token, this.#context.secretKey, this.#target);
  }

  #add(name: string): Sight {
    const { state, time } = this.#context;
    const sight = { at: read(time), again: false };
    this.#sights.set(name, sight);
    state.put(this.#target, 'sight', name, { at: sight.at });
    for (const [oldest] of this.#sights) {
      if (this.#sights.size <= mostSights) break;
      this.#sights.delete(oldest);
      state.remove(this.#target, 'sight', oldest);
    }
    return sight;
  }
}

const isApart = (sight: Sight, sentAt: number): boolean =>
  Math.abs(sentAt - sight.at.wall) >= apartMs;

/** Those in the state file, the oldest first. */
function restoredSights(target: string, state: SightsContext['state']): Map<string, Sight> {
  const found = [...state.entries(target, 'sight')].flatMap(([name, value]): [string, Sight][] => {
    const at = readingFrom(field(value, 'at'));
    return at === undefined ? [] : [[name, { at, again: false }]];
  });
  return new Map(found.sort(([, one], [, other]) => one.at.wall - other.at.wall));
}
