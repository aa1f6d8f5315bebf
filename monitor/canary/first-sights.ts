import * as v from 'valibot';
import type { Secret } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import type { Time } from '../loop/time.ts';
import { type Anchor, type Reading, read } from './age.ts';
import { reading } from './saved.ts';
import { fingerprintOf } from './seal.ts';

/** A token, by its fingerprint, and when its first answer was received. */
interface Sight {
  readonly name: string;
  readonly at: Reading;
  readonly isRepeated?: true;
}

interface SightsContext {
  readonly secretKey: Secret;
  readonly time: Time;
}

const rows = v.fallback(v.array(v.object({ name: v.string(), at: reading })), []);

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
  /** The oldest first. */
  #sights: readonly Sight[];
  /** When a token was last repeated (monotonic). */
  #repeatedAt = Number.NEGATIVE_INFINITY;
  /** Whether a different token has ever followed another one. */
  #hasFollowed = false;

  /** @param saved what `saved()` returned, from the state file */
  constructor(target: string, context: SightsContext, saved: unknown) {
    this.#target = target;
    this.#context = context;
    this.#sights = v.parse(rows, saved);
  }

  /** Records a token that the token endpoint just returned. @param sentAt when it was requested (wall clock) */
  note(token: Secret, sentAt: number): void {
    const known = this.#sightOf(token);
    const latest = this.#sights.at(-1);
    const isApart = ({ at }: Sight): boolean => Math.abs(sentAt - at.wall) >= apartMs;
    if (known === undefined) {
      this.#hasFollowed ||= latest !== undefined && isApart(latest);
      const sight = { name: this.#nameOf(token), at: read(this.#context.time) };
      this.#sights = [...this.#sights, sight].slice(-mostSights);
    } else if (isApart(known)) {
      const repeated = { ...known, isRepeated: true as const };
      this.#sights = this.#sights.map((sight) => (sight === known ? repeated : sight));
      this.#repeatedAt = this.#context.time.monotonic();
    }
  }

  /** The reference of a recorded token's age; undefined when the token seems to be new. */
  anchorOf(token: Secret): Anchor | undefined {
    const sight = this.#sightOf(token);
    if (sight === undefined || (!sight.isRepeated && !this.areReissued())) return undefined;
    return { least: 0, most: Infinity, s: sight.at, r: sight.at };
  }

  /** Whether a token was repeated recently. */
  areReissued(): boolean {
    return this.#context.time.monotonic() - this.#repeatedAt < rememberedMs;
  }

  /** Whether a token that is issued now may be older than it seems. */
  mayBeOlder(): boolean {
    return this.areReissued() || (this.#sights.length > 0 && !this.#hasFollowed);
  }

  /** For the state file: plain data, with fingerprints instead of the tokens. */
  saved(): object {
    return this.#sights.map(({ name, at }) => ({ name, at }));
  }

  #sightOf(token: Secret): Sight | undefined {
    const name = this.#nameOf(token);
    return this.#sights.find((sight) => sight.name === name);
  }

  #nameOf(token: Secret): string {
    return fingerprintOf(token, this.#context.secretKey, this.#target);
  }
}
