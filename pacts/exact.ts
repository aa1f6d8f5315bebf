declare global {
  /** Node's implementation of ECMAScript's proposal for the source text of JSON, which the compiler does not know. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): object;
  }
}

/**
 * Parses JSON, and keeps the spelling of a number that serialising would change. Examples are 64-bit integers, and
 * `1.0`, which Pact's core distinguishes from `1`. Such a number becomes a `JSON.rawJSON` object, which only
 * `JSON.stringify` can use. Undefined for invalid JSON, and for JSON that is nested too deeply for this process.
 */
export function exactOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text, (_, value, { source }) =>
      typeof value === 'number' && source !== undefined && String(value) !== source
        ? JSON.rawJSON(source)
        : value,
    );
  } catch {
    return undefined;
  }
}

/** The texts and numbers in such a value, each with its place: `.request.headers.Authorization[0]`. */
export function leavesIn(
  value: unknown,
  path = '',
): { readonly path: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value === 'number') return [{ path, text: JSON.stringify(value) }];
  return Object.entries(value ?? {}).flatMap(([name, inner]) =>
    leavesIn(inner, path + (Array.isArray(value) ? `[${name}]` : `.${name}`)),
  );
}
