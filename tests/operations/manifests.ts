import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** Reads the one object of a file of ops/kubernetes; the caller knows its kind. */
export const read = <Kind>(file: string): Kind =>
  parse(readFileSync(new URL(`../../ops/kubernetes/${file}`, import.meta.url), 'utf8'));

/** An object of any kind. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

/** What is wrong with an object by the schema of its kind, which Kubernetes publishes; also each unknown field. */
export async function complaints(manifest: Manifest): Promise<string[]> {
  const { apiVersion, kind } = manifest;
  const models = await import(`kubernetes-models/${apiVersion}/${kind}`).catch(() => ({}));
  if (models[kind] === undefined) return [`${apiVersion} has no kind ${kind}`];
  const unread = new Set<string>();
  try {
    models[kind].prototype.validate.call(watched(manifest, '', unread));
  } catch (error) {
    return [String(error)];
  }
  return [...unread].map((field) => `${field} is not a field of ${kind}`);
}

/**
 * A view of a value. The compiled schemas accept unknown fields, as Kubernetes does, but read each field that they
 * know.
 * @param unread receives the path of every field, and loses it when the field is read
 */
function watched(value: unknown, path: string, unread: Set<string>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => {
    unread.add(`${path}/${name}`);
    return [name, watched(inner, `${path}/${name}`, unread)] as const;
  });
  const copy = Object.assign(Array.isArray(value) ? [] : {}, Object.fromEntries(fields));
  return new Proxy(copy, {
    get(target, name) {
      unread.delete(`${path}/${String(name)}`);
      return Reflect.get(target, name);
    },
  });
}
