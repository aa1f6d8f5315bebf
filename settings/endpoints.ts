import {
  type Endpoint,
  endpointName,
  prefix,
  tokenPath,
  usualMethods,
} from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import { type Accepted, NotAccepted } from './accepted.ts';

/** The protected endpoints of a provider, at least one. The contract names none, so the provider's team does. */
export const endpoints: Accepted<[Endpoint, ...Endpoint[]]> = {
  words: `comma-separated METHOD ${prefix}…, at least one and none twice, without the token endpoint; methods ${usualMethods.join(', ')}; a query may follow the path`,
  read(text) {
    const entries = text.split(',').map((entry) => entry.trim());
    const cut = entries.slice(1).find(isRestOfPath);
    if (cut !== undefined) throw new NotAccepted('has a comma in a path (write %2C) before', cut);
    const [first, ...rest] = entries.map(endpoint);
    if (first === undefined) throw new NotAccepted('is empty');
    const seen = new Set<string>();
    for (const one of [first, ...rest].map(endpointName)) {
      if (seen.has(one)) throw new NotAccepted('has twice', one);
      seen.add(one);
    }
    return [first, ...rest];
  },
};

/** Whether an entry is neither an endpoint nor half of one, but what follows a comma in a path or a query. */
const isRestOfPath = (entry: string): boolean =>
  /^[^\s/]\S*$/.test(entry) &&
  !entry.includes(prefix) &&
  !usualMethods.includes(entry.toUpperCase());

/** The possible mistakes in a path, in the order of their messages. */
const faults: readonly (readonly [string, (path: string) => boolean])[] = [
  ['has a fragment in', (path) => path.includes('#')],
  [
    `has a path that is not below ${prefix} in`,
    (path) => !path.startsWith(prefix) || path.split('?')[0] === prefix,
  ],
  // As OpenAPI writes paths.
  ['has a placeholder (write a real value) in the path of', (path) => /\{[^{}]+\}/.test(path)],
  ['has a blank or a control character in the path of', (path) => /[\s\p{Cc}]/u.test(path)],
  [
    'has a character that must be percent-encoded in the path of',
    (path) => !/^([\w.~!$&'()*+;=:@/?-]|%[\da-f]{2})*$/i.test(path),
  ],
  [
    'has a dot segment in the path of',
    (path) => segments(path).some((part) => /^\.\.?$/.test(part)),
  ],
  ['has the token endpoint, which is not protected:', isTokenEndpoint],
];

/** A method and a path, as `GET /public-api/v1/widgets`. @throws NotAccepted */
export function endpoint(entry: string): Endpoint {
  if (entry === '') throw new NotAccepted('has an empty entry');
  const [, method, path] = /^(\S+)[ \t]+(.+)$/s.exec(entry) ?? [];
  if (method === undefined || path === undefined)
    throw new NotAccepted('has no method and path in', entry);
  if (!usualMethods.includes(method)) throw new NotAccepted('has an unknown method in', entry);
  const fault = faults.find(([, holds]) => holds(path));
  if (fault !== undefined) throw new NotAccepted(fault[0], entry);
  return { method, path };
}

/** The segments of a path as a server reads them, where an encoded dot is a dot. */
const segments = (path: string): string[] =>
  (path.split('?')[0] ?? '').replace(/%2e/gi, '.').split('/');

/** Matches any percent-encoding and any trailing slashes, because many routers treat these paths alike. */
function isTokenEndpoint(path: string): boolean {
  const plain = (path.split('?')[0] ?? '').replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.replace(/\/+$/, '') === tokenPath;
}

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
