import type { Answer } from '../http/answer.ts';
import { bodyMismatches } from '../schema.ts';

/** The tokens that were issued to this caller, and when each was first issued: it is at least that old. */
export class IssuedTokens {
  /** Milliseconds since 1970, by the token's text. */
  readonly #firstAt = new Map<string, number>();
  #repeated = false;
  /** How many answers with a token were not the success envelope, and the first of them. */
  readonly unfit: { count: number; first?: Answer } = { count: 0 };

  /** Whether any token was issued twice. */
  get repeated(): boolean {
    return this.#repeated;
  }

  /** The number of different tokens. */
  get size(): number {
    return this.#firstAt.size;
  }

  /** Whether it was issued to this caller. */
  has(text: string): boolean {
    return this.#firstAt.has(text);
  }

  /** Records an issued token, and the answer that held it. @param sentAt milliseconds since 1970 */
  note(
    text: string,
    sentAt: number,
    answer?: Answer,
  ): { readonly madeAt: number; readonly issuedBefore?: true } {
    if (answer !== undefined && bodyMismatches('success-envelope', answer).length > 0) {
      this.unfit.count += 1;
      this.unfit.first ??= answer;
    }
    const known = this.#firstAt.get(text);
    this.#repeated ||= known !== undefined;
    const madeAt = known ?? sentAt;
    this.#firstAt.set(text, madeAt);
    return { madeAt, ...(sentAt - madeAt < 1000 ? {} : { issuedBefore: true }) };
  }

  /**
   * Dates all of them at the beginning of simulated time: they are at least that old, and their previous dates
   * come from another clock.
   */
  redate(instant: number): void {
    for (const text of this.#firstAt.keys()) this.#firstAt.set(text, instant);
  }
}
