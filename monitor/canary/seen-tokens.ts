import { hours, seconds } from '../../contract/durations.ts';
import type { RememberedSecrets } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';
import { maxTokenLength } from '../../contract/secrets/secret.ts';
import type { Time } from '../loop/time.ts';
import { type Anchor, type Reading, readClocks } from './age.ts';

/** How many tokens of a target are remembered: those of some hours. */
const maxTokens = 200;

/** If a provider repeats no token for this time, it issues new ones. */
const rememberedMs = hours(26);

/** Tokens with timestamps in whole seconds are identical if they are issued within one second, in slow answers too. */
const apartMs = seconds(15);

/** The latest tokens of a target. Answers may quote them; of one that is repeated only the least age is known. */
export class SeenTokens implements RememberedSecrets {
  readonly #time: Time;
  readonly #inUse: () => readonly Secret[];
  #seen: readonly { readonly token: Secret; readonly at: Reading }[] = [];
  /** When a token was last repeated (monotonic). */
  #repeatedAt = Number.NEGATIVE_INFINITY;

  /** @param inUse further tokens, which are never forgotten */
  constructor(time: Time, inUse: () => readonly Secret[]) {
    this.#time = time;
    this.#inUse = inUse;
  }

  note(token: Secret): void {
    // It would fill the memory, and is used for nothing.
    if (token.length > maxTokenLength) return;
    const earlier = this.#find(token);
    const at = readClocks(this.#time);
    if (earlier !== undefined && at.monotonic - earlier.at.monotonic >= apartMs)
      this.#repeatedAt = at.monotonic;
    const others = this.#seen.filter((seen) => seen !== earlier);
    this.#seen = [...others, earlier ?? { token, at }].slice(-maxTokens);
  }

  all(): readonly Secret[] {
    return [...this.#inUse(), ...this.#seen.map(({ token }) => token)];
  }

  /** The reference of the age of a token that was just noted; undefined when it seems to be new. */
  findAnchor(token: Secret): Anchor | undefined {
    const { at } = this.#find(token) ?? {};
    if (at === undefined || !this.areReissued()) return undefined;
    return { least: 0, most: Infinity, s: at, r: at };
  }

  /** Whether a token was repeated recently. */
  areReissued(): boolean {
    return this.#time.monotonic() - this.#repeatedAt < rememberedMs;
  }

  #find(token: Secret) {
    return this.#seen.find((seen) => seen.token.equals(token));
  }
}
