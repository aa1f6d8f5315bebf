import { longestToken } from '../../contract/http/http-request.ts';
import type { RememberedSecrets } from '../../contract/secrets/scrub.ts';
import type { Secret } from '../../contract/secrets/secret.ts';

/** How many tokens of a target are remembered: those of some hours. */
const most = 200;

/**
 * The tokens that a target issued last, also to earlier runs: while they are valid, a provider may quote them. Those
 * that are in use are not forgotten.
 */
export class RecentTokens implements RememberedSecrets {
  readonly #tokens: Secret[] = [];
  readonly #inUse: () => readonly Secret[];

  constructor(inUse: () => readonly Secret[]) {
    this.#inUse = inUse;
  }

  note(token: Secret): void {
    const kept = token.length > longestToken ? token.derive(beginningOf) : token;
    const known = this.#tokens.findIndex((one) => one.equals(kept));
    if (known >= 0) this.#tokens.splice(known, 1);
    this.#tokens.push(kept);
    if (this.#tokens.length > most) this.#tokens.shift();
  }

  all(): readonly Secret[] {
    return [...this.#inUse(), ...this.#tokens];
  }
}

/** As much of a token as a text is searched for: a copy, because a slice would keep the whole token in memory. */
const beginningOf = (token: string): string => Buffer.from(token.slice(0, longestToken)).toString();
