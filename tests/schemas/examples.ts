import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject } from '../../contract/json-value.ts';
import { bodyMismatch } from '../../contract/schema.ts';
import { errorEnvelope, successEnvelope, tokenRequest } from '../../schemas/validators.js';

/** The validators by the names of the files. */
const validators = {
  'error-envelope': errorEnvelope,
  'success-envelope': successEnvelope,
  'token-request': tokenRequest,
};
type Shape = keyof typeof validators;

/** The schemas of bodies, in the order of their files. */
export const shapes: readonly Shape[] = ['error-envelope', 'success-envelope', 'token-request'];

export const mismatch = (shape: Shape, value: unknown): string | undefined =>
  bodyMismatch(validators[shape], { body: Buffer.from(JSON.stringify(value)) });

/** A body that matches or violates a schema in the way that its name says. */
export interface Example {
  readonly shape: Shape;
  readonly name: string;
  readonly value: unknown;
}

export const folder = new URL('../../schemas/', import.meta.url);

/** A schema as data. */
export function schemaOf(shape: Shape): Record<string, unknown> {
  const parsed: unknown = JSON.parse(readFileSync(new URL(`${shape}.json`, folder), 'utf8'));
  if (!isObject(parsed)) throw new Error(`${shape} is no object`);
  return parsed;
}

/** The examples, or counter-examples, of a schema. */
export function examplesOf(shape: Shape, kind: 'valid' | 'invalid'): Example[] {
  const text = readFileSync(new URL(`examples/${shape}.yaml`, folder), 'utf8');
  const { [kind]: bodies = {} }: Partial<Record<typeof kind, Record<string, unknown>>> =
    parse(text);
  return Object.entries(bodies).map(([name, value]) => ({ shape, name, value }));
}
