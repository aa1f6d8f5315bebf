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
    const known = this.#tokens.findIndex((one) => one.equals(token));
    if (known >= 0) this.#tokens.splice(known, 1);
    this.#tokens.push(token);
    if (this.#tokens.length > most) this.#tokens.shift();
  }

  all(): readonly Secret[] {
    return [...this.#inUse(), ...this.#tokens];
  }
}
