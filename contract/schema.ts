import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { type Answer, readJson } from './http/answer.ts';
import { at, field, isObject } from './json-value.ts';
import { memoize } from './remembering.ts';
import { Secret } from './secrets/secret.ts';

/** How an answer's body first differs from a schema of the contract, which may be that it is not JSON. */
export function bodyMismatch(
  validate: ValidateFunction,
  answer: Pick<Answer, 'body'>,
): string | undefined {
  const { value, why } = readJson(answer);
  return why === undefined
    ? mismatch(validate, value)
    : `the body is ${why}, expected a JSON object`;
}

/**
 * How a JSON value first differs from its schema: `/data/accessToken is a number, expected a string`, `/message is
 * missing`. It does not quote the value, which may hold a secret. Undefined if it conforms.
 */
function mismatch(validate: ValidateFunction, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const errors = validate.errors ?? [];
  // The errors of all branches come before that of anyOf or oneOf. The intended branch is unknown.
  return sentence(errors.findLast(({ keyword }) => /^(any|one)Of$/.test(keyword)) ?? errors[0]);
}

/**
 * Compiles any schema, of draft 2020-12 unless it names draft 7. Formats are not checked, and unknown keywords
 * are ignored, as the specification says.
 * @returns a function that says how a JSON value first differs; undefined if it conforms
 * @throws Error of one line, when it is not a schema of these drafts, or refers to a missing one
 */
export function compileSchema(
  schema: Record<string, unknown> | boolean,
): (value: unknown) => string | undefined {
  const ajv = ajvFor(/draft-07/.test(String(field(schema, '$schema'))));
  // Two schemas may have one id.
  ajv.removeSchema();
  const validate = ajv.compile(schema);
  return (value) => mismatch(validate, value);
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

/** Loaded at the first use: most commands compile no schema, and ajv has a hundred files. */
const load: (name: string) => Record<'Ajv' | 'Ajv2020', typeof Ajv> = createRequire(
  import.meta.url,
);

/** Its creation takes ten times as long as the compilation of a schema. */
const ajvFor = memoize((isDraft7: boolean): Ajv => {
  const Validator = isDraft7 ? load('ajv').Ajv : load('ajv/dist/2020.js').Ajv2020;
  const code = { regExp: lenientRegExp };
  return new Validator({ strict: false, logger: false, verbose: true, code });
});

/** The value at a path of names in an answer's body; undefined if there is none. */
export const inBody = (answer: Answer, ...names: readonly string[]): unknown =>
  at(readJson(answer).value, ...names);

/** The access token in an answer, whatever else is wrong with its envelope; undefined if it holds none. */
export function readToken(answer: Answer): Secret | undefined {
  const token = inBody(answer, 'data', 'accessToken');
  return typeof token === 'string' && token !== '' ? new Secret(token) : undefined;
}

/** Names the value by its JSON Pointer (RFC 6901). */
function sentence(error?: ErrorObject): string | undefined {
  if (error === undefined) return undefined;
  const { instancePath, keyword, params, data, parentSchema } = error;
  const member = params.missingProperty ?? params.additionalProperty;
  if (keyword === 'required') return `${instancePath}${pointerTo(member)} is missing`;
  if (keyword === 'additionalProperties')
    return `${instancePath}${pointerTo(member)} is there, expected not to be there`;
  // If only one value is valid, that value is more helpful than its type.
  const only = JSON.stringify(parentSchema?.const);
  const isEmpty = keyword === 'minLength' && data === '';
  const types = [params.type ?? []].flat().map(withArticle).join(' or ');
  const expected = only ?? (isEmpty ? 'a string that is not empty' : types);
  const actual = isEmpty ? 'an empty string' : describeType(data);
  return `${instancePath || 'the body'} is ${actual}, expected ${expected || `to satisfy ${keyword}`}`;
}

const pointerTo = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const withArticle = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A JSON type for a person; booleans and null are not secret and are named. */
function describeType(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  return isObject(value) ? 'an object' : withArticle(typeof value);
}
