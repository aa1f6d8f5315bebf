import * as v from 'valibot';
import {
  apiPrefix,
  type Endpoint,
  endpointName,
  tokenPath,
  usualMethods,
} from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import * as fields from './fields.ts';

const form = new RegExp(
  `^(${usualMethods.join('|')})[ \\t]+(${apiPrefix}([\\w.~!$&'()*+,;=:@/?-]|%[\\da-fA-F]{2})+)$`,
);

const words = `a method and a percent-encoded path below ${apiPrefix}, such as GET ${apiPrefix}widgets?page=1; methods: ${usualMethods.join(', ')}`;

/** A server reads an encoded dot as a dot. */
const dotSegment = /^[^?]*\/(\.|%2e){1,2}([/?]|$)/i;

/** @throws SettingsError */
export function parseEndpoint(given: string): Endpoint {
  const text = given.trim().replace(/^[a-z]+(?=\s)/, (method) => method.toUpperCase());
  // As OpenAPI and as Express write paths.
  if (/\{[^{}"]+\}|\/:[a-z]/is.test(text))
    throw new fields.SettingsError('has a placeholder: write a real value');
  const [, method, path] = form.exec(text) ?? [];
  if (method === undefined || path === undefined || dotSegment.test(path))
    throw new fields.SettingsError(`is not ${words}`);
  if (!isTokenEndpoint(path)) return { method, path };
  throw new fields.SettingsError('is the token endpoint, which is not protected');
}

export const isTokenEndpoint = (path: string): boolean =>
  path.replace(/\/*(\?.*)?$/, '') === tokenPath;

/** Whether a call may change something. */
export const mayChange = ({ method }: Pick<Endpoint, 'method'>): boolean =>
  /^(POST|PUT|PATCH|DELETE)$/.test(method);

export const endpoint = fields.text(words, parseEndpoint);

/** Endpoints of which none is there twice. */
export const listOf = <Input, One extends Endpoint>(item: v.GenericSchema<Input, One>) =>
  v.pipe(
    v.array(item),
    v.minLength(1),
    v.checkItems(
      (one, index, all) => all.map(endpointName).indexOf(endpointName(one)) === index,
      'is the same as one above it',
    ),
    v.guard((all: One[]): all is [One, ...One[]] => all.length > 0),
  );

/** The protected endpoints of a provider. The contract names none, so the provider's team does. */
export const endpoints = fields.withMessage(
  `one a line or comma-separated: ${words}`,
  v.pipe(
    v.string(),
    // One a line works too, as in a YAML file of a workflow.
    v.transform((text) => text.trim().split(/\s*(?:,?\n|,|;(?=\s*[A-Za-z]+\s))\s*/)),
    listOf(endpoint),
  ),
);

/** Shorter keys may be words, which a path holds by chance. */
const minKeyLength = 8;

/** Whether a key is in the path or the query. Pages, logs and alerts name endpoints. */
export const holdsKey = ({ path }: Endpoint, { apiKey, secretKey }: Account): boolean =>
  [apiKey, secretKey].some((secret) =>
    secret.is(
      (key) =>
        key.length >= minKeyLength &&
        [key, encodeURI(key), encodeURIComponent(key)].some((written) => path.includes(written)),
    ),
  );
