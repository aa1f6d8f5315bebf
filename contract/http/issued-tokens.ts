/** The tokens that were issued to this caller, and when each was first issued (milliseconds since 1970). */
export class IssuedTokens extends Map<string, number> {
  /** Whether any token was issued twice. */
  repeated = false;

  /** Records an issued token, which is at least as old as it was when it was first issued. */
  note(text: string, sentAt: number): { readonly madeAt: number; readonly issuedBefore?: true } {
    const madeAt = this.get(text) ?? sentAt;
    this.repeated ||= this.has(text);
    this.set(text, madeAt);
    return { madeAt, ...(sentAt - madeAt < 1000 ? {} : { issuedBefore: true }) };
  }

  /** Dates all of them at the beginning of simulated time: their previous dates come from another clock. */
  redate(instant: number): void {
    for (const text of this.keys()) this.set(text, instant);
  }
}
