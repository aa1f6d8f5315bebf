declare global {
  /** What Node has of ECMAScript's proposal for the source text of JSON, and the compiler does not know yet. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * JSON in which a number keeps its spelling where it would be written otherwise again: `1.0`, which Pact's core tells
 * from `1`, and whole numbers of 64 bits. It is what `JSON.rawJSON` makes of it, which is for `JSON.stringify` alone.
 * @throws SyntaxError
 */
export const parsedExactly = (text: string): unknown =>
  JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  );
