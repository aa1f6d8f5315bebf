/** An endpoint of a targets file. */
import querystring from 'node:querystring';
import * as v from 'valibot';
import { isHeaderName } from '../contract/http/http-request.ts';
import { type Endpoint, querySign } from '../contract/http/request.ts';
import { isObject, parsedJson } from '../contract/json-value.ts';
import { compileSchema } from '../contract/schema.ts';
import { endpoint, listOf, parseEndpoint } from './endpoints.ts';
import * as fields from './fields.ts';
import { readText } from './files.ts';

/** The expected payload of an authorised answer. */
export type PayloadCheck = v.InferOutput<ReturnType<typeof payload>>;

/** An endpoint, and the expected payload. */
export interface ConfiguredEndpoint extends Endpoint {
  readonly unfit?: PayloadCheck | undefined;
  /** How long the provider may work on an answer (seconds). */
  readonly slowSeconds?: number | undefined;
}

/** A file of the targets file by its name there. */
type Locate = (name: string) => string;

/** The schema of an endpoint's payload, written inline or as the name of a JSON file. */
const payload = (locate: Locate) =>
  fields.withMessage(
    'a JSON Schema, or the name of a JSON file that holds one',
    v.pipe(
      v.union([v.boolean(), v.record(v.string(), v.unknown()), v.string()]),
      fields.transform((given) => {
        if (typeof given !== 'string') return compiled(given);
        const schema = parsedJson(readText(locate(given), 'names a file that '));
        return isObject(schema) || typeof schema === 'boolean' ? compiled(schema) : undefined;
      }),
    ),
  );

function compiled(schema: Record<string, unknown> | boolean) {
  try {
    /** The first difference from the schema: one line, free of the payload's values. */
    const mismatch = compileSchema(schema);
    /** The schema as JSON. If it changes, the target counts as a different one. */
    return { schema: JSON.stringify(schema), mismatch };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const line = why.replaceAll(/\s+/g, ' ').slice(0, 200);
    throw new fields.SettingsError(`is no JSON Schema: ${line}`);
  }
}

/** Headers that the probes set themselves, that frame the request, or that hold a credential. */
export const isSetByProbes = (name: string): boolean =>
  /^(authorization|cookie|host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.*)$/i.test(
    name,
  );

const headers = fields.record(
  'names with texts, such as { X-Tenant: acme }',
  v.pipe(
    v.string(),
    v.check(isHeaderName, 'is not a header name'),
    v.check((name) => !isSetByProbes(name), 'is set by the probes themselves: omit it'),
  ),
  fields.matching(
    'a text of printable ASCII characters (in quotes where it looks like a number)',
    /^[ -~]*$/,
  ),
);

const queryValue = v.union([v.string(), v.number(), v.boolean()]);

const query = fields.record(
  'names with values, such as { page: 1 }',
  v.string(),
  fields.withMessage(
    'a text, a number, true, false, or a list of these',
    v.union([queryValue, v.array(queryValue)]),
  ),
);

const endpointMap = (locate: Locate) =>
  v.pipe(
    fields.map('{ method: GET, path: /public-api/v1/widgets }', {
      method: v.string('is not a method such as GET'),
      path: v.string('is not a path such as /public-api/v1/widgets'),
      query: v.optional(query, {}),
      headers: v.optional(headers),
      body: v.optional(v.unknown()),
      schema: v.optional(payload(locate)),
      slow: v.optional(fields.duration('10ms', '1m', 'ms|s|m')),
      deep: v.optional(v.literal(true, 'is not true')),
    }),
    fields.transform(({ method, path, body, deep, ...given }): ConfiguredEndpoint => {
      if (body !== undefined && !/^(POST|PUT|PATCH)$/.test(method))
        throw new fields.SettingsError('has a body, which goes with POST, PUT and PATCH only');
      // A list gives its name several times.
      const text = querystring.stringify(given.query);
      const target = text === '' ? path : path + querySign(path) + text;
      return {
        ...parseEndpoint(`${method} ${target}`),
        headers: given.headers,
        body: body === undefined ? undefined : { json: body },
        unfit: given.schema,
        slowSeconds: given.slow,
        ...(deep && { deep }),
      };
    }),
  );

/** A list of endpoints, each as `GET /public-api/v1/widgets` or with further fields. */
export function endpointList(locate: Locate) {
  const short: fields.Kind<ConfiguredEndpoint> = endpoint;
  const withFields = endpointMap(locate);
  const either = v.union([short, withFields]);
  const item = v.lazy((given) => {
    if (typeof given === 'string') return short;
    // The editor's schema, which is made without a value, has both.
    return given === undefined ? either : withFields;
  });
  return fields.withMessage('a list of one or more endpoints', listOf(item));
}
