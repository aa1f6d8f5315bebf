/** Functions to read JSON values of unknown shape. */

/** The value of a JSON text; undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every string in a JSON value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A property of a JSON value; undefined when the value is not an object or does not have it. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** The value at a path of names: `at(value, 'data', 'accessToken')`. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce(field, value);

/** The number at a path of names. */
export function numberIn(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return isNumber(found) ? found : undefined;
}

/** The text at a path of names. */
export function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/**
 * Values nested deeper than this are left out. Code that walks a value is recursive and would overflow the stack.
 * No API nests so deeply.
 */
const deepest = 256;

/** A JSON text in which the deepest lists and objects are empty. Brackets in strings do not count. */
export function withoutDeep(text: string): string {
  let open = 0;
  let isString = false;
  let kept = 0;
  let from = 0;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') isString = !isString;
    else if (sign === '\\' && isString) at += 1;
    else if (isString) continue;
    else if (sign === '[' || sign === '{') {
      open += 1;
      if (open === deepest) from = at + 1;
    } else if (sign === ']' || sign === '}') {
      if (open === deepest) {
        parts.push(text.slice(kept, from));
        kept = at;
      }
      open -= 1;
    }
  }
  return parts.join('') + text.slice(kept);
}
