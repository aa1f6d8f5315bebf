/** The tokens that were given to this caller, and when each was given first: it is at least that old. */
export class GivenTokens {
  /** Milliseconds since 1970, by the token's text. */
  readonly #firstAt = new Map<string, number>();
  #repeated = false;

  /** Whether any token was given twice. */
  get repeated(): boolean {
    return this.#repeated;
  }

  /** Notes that a token was given. @param askedAt milliseconds since 1970 */
  note(text: string, askedAt: number): { readonly madeAt: number; readonly givenBefore?: true } {
    const known = this.#firstAt.get(text);
    this.#repeated ||= known !== undefined;
    const madeAt = known ?? askedAt;
    this.#firstAt.set(text, madeAt);
    return { madeAt, ...(askedAt - madeAt < 1000 ? {} : { givenBefore: true }) };
  }

  /** Dates all of them at an instant: they are at least that old, whatever clock they were dated by before. */
  redate(instant: number): void {
    for (const text of this.#firstAt.keys()) this.#firstAt.set(text, instant);
  }
}
