/** The protected endpoints of a provider. The contract names none, so the provider's team does. */
import querystring from 'node:querystring';
import * as v from 'valibot';
import { isHeaderName } from '../contract/http/http-request.ts';
import {
  apiPrefix,
  type Endpoint,
  endpointName,
  querySign,
  tokenPath,
  usualMethods,
} from '../contract/http/request.ts';
import { compileSchema } from '../contract/schema.ts';
import type { Account } from '../contract/secrets/secret.ts';
import * as fields from './fields.ts';

const form = new RegExp(
  `^(${usualMethods.join('|')})[ \\t]+(${apiPrefix}([\\w.~!$&'()*+,;=:@/?-]|%[\\da-fA-F]{2})+)$`,
);

const words = `a method and a percent-encoded path below ${apiPrefix}, such as GET ${apiPrefix}widgets?page=1; methods: ${usualMethods.join(', ')}`;

/** @throws SettingsError */
function parseEndpoint(given: string): Endpoint {
  const text = given.trim().replace(/^[a-z]+(?=\s)/, (method) => method.toUpperCase());
  // As OpenAPI and as Express write paths.
  if (/\{[^{}"]+\}|\/:[a-z]/is.test(text))
    throw new fields.SettingsError('has a placeholder: write a real value');
  const [, method, path] = form.exec(text) ?? [];
  if (method === undefined || path === undefined) throw new fields.SettingsError(`is not ${words}`);
  if (!isTokenEndpoint(path)) return { method, path };
  throw new fields.SettingsError('is the token endpoint, which is not protected');
}

export const isTokenEndpoint = (path: string): boolean =>
  path.replace(/\/*(\?.*)?$/, '') === tokenPath;

/** Whether a call may change something. */
export const mayChange = ({ method }: Pick<Endpoint, 'method'>): boolean =>
  /^(POST|PUT|PATCH|DELETE)$/.test(method);

const endpoint: fields.Kind<ConfiguredEndpoint> = fields.text(words, parseEndpoint);

/** Endpoints of which none is there twice. */
const listOf = <Input, One extends Endpoint>(item: v.GenericSchema<Input, One>) =>
  v.pipe(
    v.array(item),
    v.checkItems(
      (one, index, all) => all.map(endpointName).indexOf(endpointName(one)) === index,
      'is the same as one above it',
    ),
    v.guard((all: One[]): all is [One, ...One[]] => all.length > 0),
  );

/** The endpoints of a setting. */
export const endpointsText = fields.withMessage(
  `one a line or comma-separated: ${words}`,
  v.pipe(
    v.string(),
    // One a line works too, as in a YAML file of a workflow.
    v.transform((text) => text.trim().split(/\s*(?:,?\n|,|;(?=\s*[A-Za-z]+\s))\s*/)),
    listOf(endpoint),
  ),
);

/** Whether a key is in the path or the query. Pages, logs and alerts name endpoints. */
export const holdsKey = ({ path }: Endpoint, { apiKey, secretKey }: Account): boolean =>
  [apiKey, secretKey].some((secret) =>
    // Shorter keys may be words, which a path holds by chance.
    secret.is((key) => key.length >= 8 && querystring.unescape(path).includes(key)),
  );

/** The expected payload of an authorised answer. */
export type PayloadCheck = v.InferOutput<typeof payload>;

/** An endpoint, and the expected payload. */
export interface ConfiguredEndpoint extends Endpoint {
  readonly unfit?: PayloadCheck | undefined;
  /** How long the provider may work on an answer (seconds). */
  readonly slowSeconds?: number | undefined;
}

/** The schema of an endpoint's payload. */
const payload = fields.withMessage(
  'a JSON Schema',
  v.pipe(
    v.union([v.boolean(), v.record(v.string(), v.unknown())]),
    fields.transform((schema) => {
      try {
        /** The first difference from the schema: one line, free of the payload's values. */
        const mismatch = compileSchema(schema);
        /** The schema as JSON. If it changes, the target counts as a different one. */
        return { schema: JSON.stringify(schema), mismatch };
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new fields.SettingsError(`is no JSON Schema: ${why}`);
      }
    }),
  ),
);

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
  fields.oneLine,
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

const withFields = v.pipe(
  fields.map('{ method: GET, path: /public-api/v1/widgets }', {
    method: v.string('is not a method such as GET'),
    path: v.string('is not a path such as /public-api/v1/widgets'),
    query: v.optional(query, {}),
    headers: v.optional(headers),
    body: v.optional(v.unknown()),
    schema: v.optional(payload),
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
export const endpointList = fields.withMessage(
  'a list of one or more endpoints',
  listOf(
    // Each form has its own messages, which a union has not. The editor's schema, which is made without a value, has both.
    v.lazy((given) => {
      if (given === undefined) return v.union([endpoint, withFields]);
      return typeof given === 'string' ? endpoint : withFields;
    }),
  ),
);
