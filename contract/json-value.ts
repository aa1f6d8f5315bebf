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

/** Empties lists and objects 256 levels deep, so that code which walks the value cannot overflow the stack. */
export function withoutDeep(value: unknown, levels = 256): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (levels > 0) for (const part of Object.values(value)) withoutDeep(part, levels - 1);
  else for (const name of Object.keys(value)) Reflect.deleteProperty(value, name);
  return value;
}

/** A property of a JSON value; undefined when the value is not an object or does not have it. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path of names: `at(value, 'data', 'accessToken')`. */
export const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce(field, value);

export function numberIn(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

export function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}
