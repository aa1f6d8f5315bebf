import { field } from '../../contract/json-value.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import type { Time } from '../loop/time.ts';
import type { StateStore } from '../state/state.ts';
import { type Anchor, type Reading, read } from './age.ts';
import { isReading } from './saved.ts';
import { fingerprintOf } from './seal.ts';

interface Sight {
  /** When its first answer was received. */
  readonly at: Reading;
  again: boolean;
}

export interface SightsContext {
  readonly secretKey: Secret;
  /** The state file keeps them over restarts, under fingerprints of the tokens. */
  readonly state: Pick<StateStore, 'entries' | 'put' | 'remove'>;
  readonly time: Time;
}

/** A provider that repeats tokens issues few; for all others the latest are enough. */
const mostSights = 32;

/** If a provider repeats no token for this time, it issues new ones. */
const rememberedMs = hours(26);

/** Tokens with timestamps in whole seconds are identical if they are issued within one second. */
const apartMs = seconds(1);

/**
 * When each of the latest tokens was first issued. A provider may repeat a token that is still valid, even one
 * that another client of the account has had for hours: then only the minimum age is known.
 */
export class FirstSights {
  readonly #target: string;
  readonly #context: SightsContext;
  /** By the fingerprint of the token, the oldest first. */
  readonly #sights: Map<string, Sight>;
  #latest: Sight | undefined;
  /** When a token was last repeated (monotonic). */
  #repeatedAt = Number.NEGATIVE_INFINITY;
  /** Whether a different token has ever followed another one. */
  #hasFollowed = false;

  constructor(target: string, context: SightsContext) {
    this.#target = target;
    this.#context = context;
    this.#sights = restoredSights(target, context.state);
    this.#latest = [...this.#sights.values()].at(-1);
  }

  /** Records a token that the token endpoint just returned. @param sentAt when it was requested (wall clock) */
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

  /** The reference of a recorded token's age; undefined when the token seems to be new. */
  anchorOf(token: Secret): Anchor | undefined {
    const sight = this.#sights.get(this.#fingerprint(token));
    if (sight === undefined || (!sight.again && !this.areReissued())) return undefined;
    return { least: 0, most: Infinity, s: sight.at, r: sight.at };
  }

  /** Whether a token was repeated recently. */
  areReissued(): boolean {
    return this.#context.time.monotonic() - this.#repeatedAt < rememberedMs;
  }

  /** Whether a token that is issued now may be older than it seems. */
  mayBeOlder(): boolean {
    return this.areReissued() || (this.#latest !== undefined && !this.#hasFollowed);
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

/** The tokens in the state file, the oldest first. */
function restoredSights(target: string, state: SightsContext['state']): Map<string, Sight> {
  const found = [...state.entries(target, 'sight')].flatMap(([name, value]): [string, Sight][] => {
    const at = field(value, 'at');
    return isReading(at) ? [[name, { at, again: false }]] : [];
  });
  return new Map(found.sort(([, one], [, other]) => one.at.wall - other.at.wall));
}
