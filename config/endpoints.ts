import { type Endpoint, prefix, tokenPath, usualMethods } from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import { accepting, Unaccepted } from './accepted.ts';

/** What a text such as `GET /public-api/v1/widgets` must match, and the mistake otherwise. */
const forms: readonly (readonly [form: RegExp, mistake: string])[] = [
  [/./, 'has an empty entry'],
  [/^\S+[ \t]+./s, 'has no method and path in {text}'],
  [/^(?!\S+\s+\S+\s+[{[])/, 'has a body after the path of {text}: bodies go into targets.yaml'],
  [new RegExp(`^(${usualMethods.join('|')})\\s`), 'has an unknown method in {text}'],
  [/^[^#]*$/, 'has a fragment in {text}'],
  [new RegExp(`^\\S+\\s+${prefix}[^?]`), `has a path that is not below ${prefix} in {text}`],
  // As OpenAPI writes paths.
  [/^(?!.*\{[^{}]+\})/s, 'has a placeholder (write a real value) in the path of {text}'],
  [/^\S+[ \t]+[^\s\p{Cc}]*$/u, 'has a blank or a control character in the path of {text}'],
  [
    /^\S+\s+([\w.~!$&'()*+;=:@/?-]|%[\da-f]{2})*$/i,
    'has a character that must be percent-encoded in the path of {text}',
  ],
  // A server reads an encoded dot as a dot.
  [/^(?![^?]*\/(\.|%2e){1,2}([/?]|$))/i, 'has a dot segment in the path of {text}'],
];

function endpointOf(given: string): Endpoint {
  const text = given.trim().replace(/^[a-z]+(?=\s)/, (method) => method.toUpperCase());
  const [, mistake] = forms.find(([form]) => !form.test(text)) ?? [];
  if (mistake !== undefined) throw new Unaccepted(mistake, text);
  const [method = '', path = ''] = text.split(/\s+/);
  if (!isTokenEndpoint(path)) return { method, path };
  throw new Unaccepted('has the token endpoint, which is not protected: {text}', text);
}

/** Matches any percent-encoding and any trailing slashes, because many routers treat these paths alike. */
export function isTokenEndpoint(path: string): boolean {
  const plain = path
    .replace(/\?.*/, '')
    .replace(/%([2-7][\da-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return plain.replace(/\/+$/, '') === tokenPath;
}

const words = (method: string, besides: string): string =>
  `${method} ${prefix}…, ${besides} the token endpoint; methods ${usualMethods.join(', ')}; a query may follow the path`;

export const endpoint = accepting(words('METHOD', 'not'), endpointOf);

/** The protected endpoints of a provider. The contract names none, so the provider's team does. */
export const endpoints = accepting(
  words('one a line or comma-separated METHOD', 'at least one and none twice, without'),
  (text) => {
    // One a line works too, as in a YAML file of a workflow.
    const entries = text
      .trim()
      .split(/,?\s*\n\s*|,|;\s*(?=[A-Za-z]+\s)/)
      .map((entry) => entry.trim());
    const twice = entries.find((entry, index) => entries.indexOf(entry) < index);
    if (twice !== undefined) throw new Unaccepted('has twice {text}', twice);
    const [first = '', ...others] = entries;
    return [endpointOf(first), ...others.map(endpointOf)] as const;
  },
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
