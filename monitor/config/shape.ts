import { readFileSync } from 'node:fs';
import { isObject } from '../../contract/json-value.ts';
import { compileSchema, type SchemaMismatch } from '../../contract/schema.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Complaints, hint, nearWord, type Path } from './complaints.ts';

/** Compiled on first use, because most monitors have no targets file. */
let check: ((value: unknown) => SchemaMismatch[]) | undefined;

/** Records where a file violates `schemas/monitor-config.json`. No value is quoted: it may be a credential. */
export function checkShape(value: unknown, complaints: Complaints): void {
  check ??= compileSchema(
    JSON.parse(readFileSync(new URL('../../schemas/monitor-config.json', import.meta.url), 'utf8')),
    { all: true },
  );
  for (const mismatch of check(value)) complain(mismatch, value, complaints);
}

function complain(mismatch: SchemaMismatch, value: unknown, complaints: Complaints): void {
  const { keyword, title, expected, actual, allowed } = mismatch;
  const path = pathOf(mismatch.pointer, value);
  if (keyword === 'additionalProperties') unknownName(path, allowed ?? [], value, complaints);
  else if (keyword === 'required') complaints.missing(path);
  else if (keyword === 'uniqueItems') complaints.about(path, 'holds something twice');
  else if (keyword === 'type')
    complaints.about(path, `is ${actual}, expected ${title ?? expected}`);
  else complaints.about(path, `is not ${title ?? expected}`);
}

/** A JSON Pointer as a list of steps. */
function pathOf(pointer: string, value: unknown): Path {
  const path: (string | number)[] = [];
  let holder = value;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(holder) ? Number(name) : name);
    holder = below(holder, name);
  }
  return path;
}

const below = (holder: unknown, name: string): unknown =>
  isObject(holder) || Array.isArray(holder)
    ? Object.getOwnPropertyDescriptor(holder, name)?.value
    : undefined;

/** Names that people use for a credential. */
const credential = /^(api|secret|access)?_?-?(bearer|key|secret|token|password)(value)?$/i;

function unknownName(
  path: Path,
  allowed: readonly string[],
  value: unknown,
  complaints: Complaints,
): void {
  const name = String(path.at(-1));
  const holder = path.slice(0, -1);
  if (credential.test(name)) {
    const text = path.reduce<unknown>((inner, step) => below(inner, String(step)), value);
    if (typeof text === 'string') complaints.learn(new Secret(text));
    const keys =
      path[0] === 'notify'
        ? allowed.filter((one) => /Env$|File$/.test(one))
        : ['apiKeyEnv', 'apiKeyFile', 'secretKeyEnv', 'secretKeyFile'];
    for (const key of keys) if (key.endsWith('Env')) complaints.meant([...holder, key]);
    const where = `${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}`;
    const found = `is a credential, which may not be in this file: say where it is with ${where}`;
    complaints.about(path, found, { is: 'name' });
    return;
  }
  const list = `(allowed: ${allowed.join(', ')})`;
  const near = nearWord(name, allowed);
  if (near !== undefined) complaints.meant([...holder, near]);
  // A name among credentials may itself be a credential, written in the wrong place.
  if (holder.at(-1) === 'credentials' && near === undefined)
    complaints.about(holder, `holds a name that is not known ${list}`);
  else if (path[0] === 'defaults' && ofEachTarget.includes(name))
    complaints.about(path, 'belongs to each target, not to the defaults', { is: 'name' });
  else complaints.about(path, `is not known${hint(near)} ${list}`, { is: 'name' });
}

const ofEachTarget = ['name', 'url', 'credentials'];
