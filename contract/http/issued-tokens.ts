/** The tokens that were issued to this caller, and when each was first issued: it is at least that old. */
export class IssuedTokens {
  /** Milliseconds since 1970, by the token's text. */
  readonly #firstAt = new Map<string, number>();
  #repeated = false;

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

  /** Records an issued token. @param sentAt milliseconds since 1970 */
  note(text: string, sentAt: number): { readonly madeAt: number; readonly issuedBefore?: true } {
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
