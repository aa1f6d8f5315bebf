import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Answer, field, isObject, jsonOf } from './answer.ts';
import { Secret } from './secret.ts';

/** The bodies that the document shows, by the name of their file in `schemas/`. */
export type Shape = 'token-request' | 'success-envelope' | 'error-envelope';

/** One difference between a body and its schema. Neither part quotes the body: it may hold a secret. */
export interface Mismatch {
  /** JSON Pointer (RFC 6901) to the value; empty for the whole body. */
  readonly pointer: string;
  readonly expected: string;
  /** The type of what is there, or `missing`, `empty`, `not UTF-8`, `not JSON`. */
  readonly actual: string;
}

const ajv = new Ajv2020({ strict: true, allErrors: true, verbose: true });
const compiled = new Map<Shape, ValidateFunction>();

/** Compiles a schema at its first use. */
function validator(shape: Shape): ValidateFunction {
  const known = compiled.get(shape);
  if (known !== undefined) return known;
  const file = new URL(`../schemas/${shape}.json`, import.meta.url);
  const validate = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  compiled.set(shape, validate);
  return validate;
}

/** What of a JSON value is not as its schema says; empty when it conforms. */
export function mismatches(shape: Shape, value: unknown): Mismatch[] {
  const validate = validator(shape);
  if (validate(value)) return [];
  const told = (validate.errors ?? []).map(tell);
  // A value of the wrong type fails its const or minLength too: once is enough.
  return told.filter(
    ({ pointer }, index) => told.findIndex((other) => other.pointer === pointer) === index,
  );
}

/** What of an answer's body is not as the schema says, a body that is no JSON included. */
export function bodyMismatches(shape: Shape, answer: Answer): Mismatch[] {
  const json = jsonOf(answer);
  return json.is === 'json'
    ? mismatches(shape, json.value)
    : [{ pointer: '', expected: 'a JSON object', actual: json.why }];
}

/**
 * `/data/accessToken is a number, expected a string`; `/message is missing`;
 * `the body is empty, expected a JSON object`.
 */
export const sentence = ({ pointer, expected, actual }: Mismatch): string =>
  `${pointer === '' ? 'the body' : pointer} is ${actual}${actual === 'missing' ? '' : `, expected ${expected}`}`;

/** The access token in an answer, whatever else is wrong with its envelope; undefined when it holds none. */
export function tokenOf(answer: Answer): Secret | undefined {
  const json = jsonOf(answer);
  const token = json.is === 'json' ? field(field(json.value, 'data'), 'accessToken') : undefined;
  return typeof token === 'string' && token !== '' ? new Secret(token) : undefined;
}

function tell({ instancePath, keyword, params, data, parentSchema }: ErrorObject): Mismatch {
  switch (keyword) {
    case 'required':
      return {
        pointer: `${instancePath}/${params.missingProperty}`,
        expected: 'to be there',
        actual: 'missing',
      };
    case 'type':
      return {
        pointer: instancePath,
        // Where only one value will do, that value says more than its type.
        expected:
          parentSchema?.const === undefined
            ? withArticle(String(params.type))
            : JSON.stringify(parentSchema.const),
        actual: kindOf(data),
      };
    case 'const':
      return {
        pointer: instancePath,
        expected: JSON.stringify(params.allowedValue),
        actual: kindOf(data),
      };
    case 'minLength':
      return {
        pointer: instancePath,
        expected: 'a string that is not empty',
        actual: 'an empty string',
      };
    default:
      return { pointer: instancePath, expected: `to satisfy ${keyword}`, actual: kindOf(data) };
  }
}

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A JSON type as read by a person; booleans and null give nothing away and are named. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : withArticle(typeof value);
}
