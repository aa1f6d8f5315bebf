import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import * as validators from '../schemas/validators.js';
import { type Answer, jsonOf } from './http/answer.ts';
import { at, field, isObject } from './json-value.ts';
import { remembering } from './remembering.ts';
import { Secret } from './secrets/secret.ts';

/** The bodies that the contract shows, by the name of their file in `schemas/`. */
export type Shape = 'token-request' | 'success-envelope' | 'error-envelope';

/** One difference between a body and its schema. Neither part quotes the body: it may hold a secret. */
export interface Mismatch {
  /** JSON Pointer (RFC 6901) to the value; empty for the whole body. */
  readonly pointer: string;
  readonly expected: string;
  /** The type of the value, or `missing`, `empty`, `not UTF-8`, `not JSON`. */
  readonly actual: string;
}

const validatorOf: Readonly<Record<Shape, ValidateFunction>> = {
  'token-request': validators.tokenRequest,
  'success-envelope': validators.successEnvelope,
  'error-envelope': validators.errorEnvelope,
};

/** The first difference of a JSON value from its schema; undefined when it conforms. */
export function mismatch(shape: Shape, value: unknown): Mismatch | undefined {
  const validate = validatorOf[shape];
  const [first] = validate(value) ? [] : (validate.errors ?? []);
  return first && mismatchOf(first);
}

/**
 * Compiles any schema, of draft 2020-12 unless it names draft 7. Formats are not checked, and unknown keywords
 * are ignored, as the specification says.
 * @returns a function that finds the first difference of a JSON value; undefined when it conforms
 * @throws Error of one line, when it is not a schema or refers to a missing one
 */
export function compileSchema(
  schema: Record<string, unknown> | boolean,
): (value: unknown) => Mismatch | undefined {
  const draft = field(schema, '$schema');
  const ajv = ajvFor(/draft-07/.test(String(draft)));
  if (typeof draft === 'string' && ajv.getSchema(draft) === undefined)
    throw new Error(`$schema is ${draft}; ${accepted}`);
  // Two schemas may have one id.
  ajv.removeSchema();
  const validate = ajv.compile(schema);
  if ('$async' in validate) throw new Error('$async is not supported: answers are checked at once');
  return (value) => {
    if (validate(value)) return undefined;
    const errors = validate.errors ?? [];
    // Each branch of anyOf or oneOf has errors of its own before the keyword's error, and the intended branch is
    // unknown.
    const fork = errors.findLast(({ keyword }) => /^(any|one)Of$/.test(keyword)) ?? errors[0];
    return fork && mismatchOf(fork);
  };
}

/** Unicode patterns, as the specification says; and those without it that are in wide use, such as `[\w-.]+`. */
const lenientRegExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: 'new RegExp' },
);

const accepted = 'accepted are draft 2020-12 and draft 7, http://json-schema.org/draft-07/schema#';

/** Loaded at the first use: most commands compile no schema, and ajv has a hundred files. */
const load: (name: string) => Record<'Ajv' | 'Ajv2020', typeof Ajv> = createRequire(
  import.meta.url,
);

/** Its creation takes ten times as long as the compilation of a schema. */
const ajvFor = remembering((isDraft7: boolean): Ajv => {
  const Validator = isDraft7 ? load('ajv').Ajv : load('ajv/dist/2020.js').Ajv2020;
  const code = { regExp: lenientRegExp };
  return new Validator({ strict: false, logger: false, verbose: true, code });
});

/** The first difference of an answer's body from the schema, including a body that is not JSON. */
export function bodyMismatch(shape: Shape, answer: Answer): Mismatch | undefined {
  const json = jsonOf(answer);
  if (json.is === 'json') return mismatch(shape, json.value);
  return { pointer: '', expected: 'a JSON object', actual: json.why };
}

/** `/data/accessToken is a number, expected a string`; `/message is missing`; `the body is empty, expected …`. */
export const sentence = ({ pointer, expected, actual }: Mismatch): string =>
  `${pointer || 'the body'} is ${actual}${actual === 'missing' ? '' : `, expected ${expected}`}`;

/** The value at a path of names in an answer's body; undefined if there is none. */
export function inBody(answer: Answer, ...names: readonly string[]): unknown {
  const json = jsonOf(answer);
  return json.is === 'json' ? at(json.value, ...names) : undefined;
}

/** The access token in an answer, whatever else is wrong with its envelope; undefined if it holds none. */
export function tokenOf(answer: Answer): Secret | undefined {
  const token = inBody(answer, 'data', 'accessToken');
  return typeof token === 'string' && token !== '' ? new Secret(token) : undefined;
}

function mismatchOf({ instancePath, keyword, params, data, parentSchema }: ErrorObject): Mismatch {
  // If only one value is valid, that value is more helpful than its type.
  const only = JSON.stringify(parentSchema?.const);
  const types = [params.type ?? []].flat().map(withArticle).join(' or ');
  const texts: Readonly<Record<string, readonly [expected: string, actual?: string]>> = {
    required: ['to be there', 'missing'],
    additionalProperties: ['not to be there', 'there'],
    type: [only ?? types],
    const: [only ?? ''],
    minLength: ['a string that is not empty', 'an empty string'],
  };
  const [expected, actual = kindOf(data)] = texts[keyword] ?? [`to satisfy ${keyword}`];
  const isOfMember = keyword === 'required' || keyword === 'additionalProperties';
  const member = isOfMember ? (params.missingProperty ?? params.additionalProperty) : undefined;
  return {
    pointer: `${instancePath}${member === undefined ? '' : pointerTo(member)}`,
    expected,
    actual,
  };
}

const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A JSON type for a person; booleans and null are not secret and are named. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : withArticle(typeof value);
}
