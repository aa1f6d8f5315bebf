declare global {
  /**
   * Node's implementation of ECMAScript's proposal for the source text of JSON, which the compiler does not know
   * yet.
   */
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
 * JSON in which a number keeps its spelling if serialising would change it: `1.0`, which Pact's core
 * distinguishes from `1`, and whole numbers of 64 bits. Such a number is a result of `JSON.rawJSON`, which only
 * `JSON.stringify` can use.
 * @throws SyntaxError
 */
export const parsedExactly = (text: string): unknown =>
  JSON.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? JSON.rawJSON(source)
      : value,
  );
