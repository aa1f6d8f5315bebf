/** The tokens that were given to this caller, and when each was given first: it is at least that old. */
export class IssuedTokens {
  /** Milliseconds since 1970, by the token's text. */
  readonly #firstAt = new Map<string, number>();
  #repeated = false;

  /** Whether any token was given twice. */
  get repeated(): boolean {
    return this.#repeated;
  }

  /** How many different ones there are. */
  get size(): number {
    return this.#firstAt.size;
  }

  /** Whether it was given to this caller. */
  has(text: string): boolean {
    return this.#firstAt.has(text);
  }

  /** Notes that a token was given. @param sentAt milliseconds since 1970 */
  note(text: string, sentAt: number): { readonly madeAt: number; readonly givenBefore?: true } {
    const known = this.#firstAt.get(text);
    this.#repeated ||= known !== undefined;
    const madeAt = known ?? sentAt;
    this.#firstAt.set(text, madeAt);
    return { madeAt, ...(sentAt - madeAt < 1000 ? {} : { givenBefore: true }) };
  }

  /**
   * Dates all of them at the instant with which simulated time begins: they are at least that old, and what they were
   * dated by before is another clock.
   */
  redate(instant: number): void {
    for (const text of this.#firstAt.keys()) this.#firstAt.set(text, instant);
  }
}
