import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ours } from '../process.ts';

/** Reads the one object of a file of ops/kubernetes; the caller knows its kind. */
export const read = <Kind>(file: string): Kind =>
  parse(readFileSync(ours(`ops/kubernetes/${file}`), 'utf8'));

/** What is wrong with an object by the schema of its kind, which Kubernetes publishes; also each unknown field. */
export async function complaints(manifest: { apiVersion: string; kind: string }) {
  const { apiVersion, kind } = manifest;
  const models = await import(`kubernetes-models/${apiVersion}/${kind}`);
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
  return new Proxy(Object.assign(Array.isArray(value) ? [] : {}, Object.fromEntries(fields)), {
    get(target, name) {
      unread.delete(`${path}/${String(name)}`);
      return Reflect.get(target, name);
    },
  });
}
