/** An endpoint of a targets file. */
import * as v from 'valibot';
import { isHeaderName } from '../contract/http/http-request.ts';
import { type Endpoint, endpointName, joint } from '../contract/http/request.ts';
import { isObject, parsedJson } from '../contract/json-value.ts';
import { compileSchema, sentence } from '../contract/schema.ts';
import { endpoint as endpointText } from './endpoints.ts';
import * as fields from './fields.ts';
import { largest, readText } from './files.ts';

/** The expected payload of an authorised answer. */
export interface PayloadCheck {
  /** The schema as JSON. If it changes, the target counts as a different one. */
  readonly schema: string;
  /** The first difference from the schema: one line, free of the payload's values. */
  mismatch(payload: unknown): string | undefined;
}

/** An endpoint, and the expected payload. */
export interface ConfiguredEndpoint extends Endpoint {
  readonly unfit?: PayloadCheck | undefined;
}

/** Compiles the schema of an endpoint's owner. @throws Error of one line when it is not a schema */
export function payloadCheck(schema: Record<string, unknown> | boolean): PayloadCheck {
  const mismatches = compileSchema(schema);
  return {
    schema: JSON.stringify(schema),
    mismatch(payload) {
      const [first] = mismatches(payload);
      return first && sentence(first);
    },
  };
}

/** A file of the targets file by its name there. */
export type Locate = (name: string) => string;

/** The schema of an endpoint's payload, written inline or as the name of a JSON file. */
const payload = (locate: Locate) =>
  v.pipe(
    v.union(
      [v.boolean(), v.record(v.string(), v.unknown()), v.string()],
      'is not a JSON Schema, or the name of a file that holds one',
    ),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      try {
        return payloadCheck(typeof value === 'string' ? schemaIn(locate(value)) : value);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        addIssue({ message: `gives no JSON Schema: ${why.replaceAll(/\s+/g, ' ').slice(0, 200)}` });
        return NEVER;
      }
    }),
  );

/** @throws Error of one line, which quotes nothing of the file */
function schemaIn(file: string): Record<string, unknown> | boolean {
  const schema = parsedJson(readText(file, largest.payloadSchema));
  if (isObject(schema) || typeof schema === 'boolean') return schema;
  throw new Error('the file does not contain a JSON object, true or false');
}

/** Headers that the probes set themselves, that frame the request, or that hold a credential. */
const ofProbes =
  /^(authorization|cookie|host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i;

const headers = fields.named(
  'names with texts, such as { X-Tenant: acme }',
  v.pipe(
    v.string(),
    v.check(isHeaderName, 'is not a header name'),
    v.check((name) => !ofProbes.test(name), 'is set by the probes themselves: omit it'),
  ),
  fields.called(
    'a text of printable ASCII characters (in quotes where it looks like a number)',
    v.pipe(v.string(), v.regex(/^[ -~]*$/)),
  ),
);

const queryValue = fields.called(
  'a text, a number, true or false',
  v.union([v.string(), v.number(), v.boolean()]),
);

/** Percent-encoded; a list gives its name several times. */
const query = v.pipe(
  fields.named(
    'names with values, such as { page: 1 }',
    v.string(),
    fields.called(
      'a text, a number, true, false, or a list of these',
      v.union([queryValue, v.array(queryValue)]),
    ),
  ),
  v.transform((given) => {
    const pairs = Object.entries(given).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    );
    return new URLSearchParams(pairs).toString();
  }),
);

const whole = (locate: Locate) =>
  v.pipe(
    fields.map('{ method: GET, path: /public-api/v1/widgets }', {
      method: v.string('is not a method such as GET'),
      path: v.string('is not a path such as /public-api/v1/widgets'),
      query: v.optional(query),
      headers: v.optional(headers),
      body: v.optional(v.unknown()),
      schema: v.optional(payload(locate)),
    }),
    v.forward(
      v.check(
        ({ method, body }) => body === undefined || /^(POST|PUT|PATCH)$/.test(method),
        'goes with POST, PUT and PATCH only',
      ),
      ['body'],
    ),
    v.forward(
      v.check(
        ({ method, schema }) => method !== 'HEAD' || schema === undefined,
        'checks a body, and the answer to HEAD has none',
      ),
      ['schema'],
    ),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): ConfiguredEndpoint => {
      const { method, path, query: added = '', headers: sent, body, schema: unfit } = value;
      const target = added === '' ? path : `${path}${joint(path)}${added}`;
      const { success, output, issues } = v.safeParse(endpointText, `${method} ${target}`);
      const json = body === undefined ? undefined : { json: body };
      if (success) return { ...output, headers: sent, body: json, unfit };
      addIssue({ message: issues[0].message, input: issues[0].input });
      return NEVER;
    }),
  );

/** A list of endpoints, each as `GET /public-api/v1/widgets` or with further fields. */
export function endpointList(locate: Locate) {
  const withFields = whole(locate);
  const short: v.GenericSchema<string, ConfiguredEndpoint> = endpointText;
  const either = fields.called(
    'a text such as GET /public-api/v1/widgets, or { method: GET, path: /public-api/v1/widgets }',
    v.union([short, withFields]),
  );
  const item = v.lazy((given) => {
    if (typeof given === 'string') return short;
    return isObject(given) ? withFields : either;
  });
  return v.pipe(
    fields.list('a list of one or more endpoints', item),
    v.checkItems(
      (given, index, all) =>
        all.findIndex((other) => endpointName(other) === endpointName(given)) === index,
      'is the same as one above it',
    ),
  );
}
