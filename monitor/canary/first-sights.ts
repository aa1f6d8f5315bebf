import * as v from 'valibot';
import type { Secret } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import type { Time } from '../loop/time.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { type Anchor, read } from './age.ts';
import { reading } from './canary.ts';
import { fingerprintOf } from './seal.ts';

/** A token, by its fingerprint, and when its first answer was received. */
const sight = v.object({ name: v.string(), at: reading });
type Sight = v.InferOutput<typeof sight>;

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
  readonly #target: Pick<WatchedTarget, 'name' | 'account'>;
  readonly #time: Time;
  /** The oldest first. */
  #sights: readonly Sight[];
  /** When a token was last repeated (monotonic). */
  #repeatedAt = Number.NEGATIVE_INFINITY;

  /** @param saved what `saved()` returned, from the state file */
  constructor(target: Pick<WatchedTarget, 'name' | 'account'>, time: Time, saved: unknown) {
    this.#target = target;
    this.#time = time;
    this.#sights = v.parse(v.fallback(v.array(sight), []), saved);
  }

  /** Records a token that the token endpoint just returned. @param sentAt when it was requested (wall clock) */
  note(token: Secret, sentAt: number): void {
    const name = this.#nameOf(token);
    const known = this.#sights.find((seen) => seen.name === name);
    if (known === undefined)
      this.#sights = [...this.#sights, { name, at: read(this.#time) }].slice(-mostSights);
    else if (Math.abs(sentAt - known.at.wall) >= apartMs) this.#repeatedAt = this.#time.monotonic();
  }

  /** The reference of the age of a token that was just recorded; undefined when it seems to be new. */
  anchorOf(token: Secret): Anchor | undefined {
    const name = this.#nameOf(token);
    const { at } = this.#sights.find((seen) => seen.name === name) ?? {};
    if (at === undefined || !this.areReissued()) return undefined;
    return { least: 0, most: Infinity, s: at, r: at };
  }

  /** Whether a token was repeated recently. */
  areReissued(): boolean {
    return this.#time.monotonic() - this.#repeatedAt < rememberedMs;
  }

  /** For the state file: plain data, with fingerprints instead of the tokens. */
  saved(): object {
    return this.#sights;
  }

  #nameOf(token: Secret): string {
    return fingerprintOf(token, this.#target.account.secretKey, this.#target.name);
  }
}
