import * as v from 'valibot';
import { type Endpoint, prefix, tokenPath, usualMethods } from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import { type Accepted, accepting } from './accepted.ts';

/** The mistakes in a text such as `GET /public-api/v1/widgets`, in the order of their messages. */
const endpointText = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty('has an empty entry'),
  v.regex(/^\S+[ \t]+./s, 'has no method and path in {text}'),
  v.regex(new RegExp(`^(${usualMethods.join('|')})\\s`), 'has an unknown method in {text}'),
  v.excludes('#', 'has a fragment in {text}'),
  v.regex(new RegExp(`^\\S+\\s+${prefix}[^?]`), `has a path that is not below ${prefix} in {text}`),
  // As OpenAPI writes paths.
  v.regex(/^(?!.*\{[^{}]+\})/s, 'has a placeholder (write a real value) in the path of {text}'),
  v.regex(/^\S+[ \t]+[^\s\p{Cc}]*$/u, 'has a blank or a control character in the path of {text}'),
  v.regex(
    /^\S+\s+([\w.~!$&'()*+;=:@/?-]|%[\da-f]{2})*$/i,
    'has a character that must be percent-encoded in the path of {text}',
  ),
  // A server reads an encoded dot as a dot.
  v.regex(/^(?![^?]*\/(\.|%2e){1,2}([/?]|$))/i, 'has a dot segment in the path of {text}'),
  v.check(
    (text) => !isTokenEndpoint(text),
    'has the token endpoint, which is not protected: {text}',
  ),
  v.transform((text): Endpoint => {
    const [method = '', path = ''] = text.split(/\s+/);
    return { method, path };
  }),
);

/** Matches any percent-encoding and any trailing slashes, because many routers treat these paths alike. */
function isTokenEndpoint(text: string): boolean {
  const [path = ''] = text.replace(/^\S+\s+/, '').split('?');
  const plain = path.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.replace(/\/+$/, '') === tokenPath;
}

const words = (method: string, besides: string): string =>
  `${method} ${prefix}…, ${besides} the token endpoint; methods ${usualMethods.join(', ')}; a query may follow the path`;

export const endpoint: Accepted<Endpoint> = accepting(words('METHOD', 'not'), endpointText);

/** The protected endpoints of a provider. The contract names none, so the provider's team does. */
export const endpoints: Accepted<Endpoint[]> = accepting(
  words('comma-separated METHOD', 'at least one and none twice, without'),
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',').map((entry) => entry.trim())),
    v.checkItems((entry, index, all) => all.indexOf(entry) === index, 'has twice {text}'),
    v.array(endpointText),
  ),
);

/** Shorter keys may be words, which a path holds by chance. */
const shortestKey = 8;

/** Whether a key is in the path or the query. Pages, logs and alerts name endpoints. */
export const holdsKey = ({ path }: Endpoint, { apiKey, secretKey }: Account): boolean =>
  [apiKey, secretKey].some((secret) =>
    secret.is(
      (key) =>
        key.length >= shortestKey &&
        [key, encodeURI(key), encodeURIComponent(key)].some((written) => path.includes(written)),
    ),
  );
