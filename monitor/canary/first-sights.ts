import * as v from 'valibot';
import type { Secret } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import type { Time } from '../loop/time.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { type Anchor, type Reading, read } from './age.ts';
import { reading } from './canary.ts';
import { fingerprintOf } from './seal.ts';

/** A token, by its fingerprint, and when its first answer was received. */
interface Sight {
  readonly name: string;
  readonly at: Reading;
  readonly isRepeated?: true;
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
    this.#sights = v.parse(rows, saved);
  }

  /** Records a token that the token endpoint just returned. @param sentAt when it was requested (wall clock) */
  note(token: Secret, sentAt: number): void {
    const known = this.#sightOf(token);
    if (known === undefined) {
      const sight = { name: this.#nameOf(token), at: read(this.#time) };
      this.#sights = [...this.#sights, sight].slice(-mostSights);
    } else if (Math.abs(sentAt - known.at.wall) >= apartMs) {
      const repeated = { ...known, isRepeated: true as const };
      this.#sights = this.#sights.map((sight) => (sight === known ? repeated : sight));
      this.#repeatedAt = this.#time.monotonic();
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
    return this.#time.monotonic() - this.#repeatedAt < rememberedMs;
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
    return fingerprintOf(token, this.#target.account.secretKey, this.#target.name);
  }
}
