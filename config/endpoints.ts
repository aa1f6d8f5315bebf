import { apiPrefix, type Endpoint, tokenPath, usualMethods } from '../contract/http/request.ts';
import type { Account } from '../contract/secrets/secret.ts';
import { accepting, ValueError } from './accepted.ts';

/** What a text such as `GET /public-api/v1/widgets` must match, and the mistake otherwise. */
const forms: readonly (readonly [form: RegExp, mistake: string])[] = [
  [/^(?!['"[])/, 'is in brackets or quotes: write GET /public-api/v1/widgets without them'],
  [/^\S+[ \t]+./s, 'has no method and path such as GET /public-api/v1/widgets'],
  [/^(?!\S+\s+\S+\s+[{[])/, 'has a body after the path (bodies go into targets.yaml)'],
  [
    new RegExp(`^(${usualMethods.join('|')})\\s`),
    `has another method than ${usualMethods.join(', ')}`,
  ],
  [/^(?!\S+\s+https?:)/i, 'holds a whole address: write only its path'],
  [new RegExp(`^\\S+\\s+${apiPrefix}[^?]`), `has a path that is not below ${apiPrefix}`],
  // As OpenAPI and as Express write paths.
  [/^(?!.*(\{[^{}]+\}|\/:[a-z]))/is, 'has a placeholder (write a real value)'],
  [
    /^\S+[ \t]+([\w.~!$&'()*+;=:@/?-]|%[\da-f]{2})*$/i,
    'has a character in the path that must be percent-encoded',
  ],
  // A server reads an encoded dot as a dot.
  [/^(?![^?]*\/(\.|%2e){1,2}([/?]|$))/i, 'has a dot segment in the path'],
];

/** @param where follows a mistake */
function parseEndpoint(given: string, where = ''): Endpoint {
  const text = given.trim().replace(/^[a-z]+(?=\s)/, (method) => method.toUpperCase());
  const [, mistake] = forms.find(([form]) => !form.test(text)) ?? [];
  if (mistake !== undefined) throw new ValueError(mistake + where);
  const [method = '', path = ''] = text.split(/\s+/);
  if (isTokenEndpoint(path))
    throw new ValueError(`has the token endpoint, which is not protected${where}`);
  return { method, path };
}

export const isTokenEndpoint = (path: string): boolean =>
  path.replace(/\/*(\?.*)?$/, '') === tokenPath;

const words = (method: string, besides: string): string =>
  `${method} ${apiPrefix}…, ${besides} the token endpoint; methods ${usualMethods.join(', ')}; a query may follow the path`;

export const endpoint = accepting(words('METHOD', 'not'), (text) => parseEndpoint(text));

/** The protected endpoints of a provider. The contract names none, so the provider's team does. */
export const endpoints = accepting(
  words('one a line or comma-separated METHOD', 'at least one and none twice, without'),
  (text) => {
    // One a line works too, as in a YAML file of a workflow.
    const entries = text.trim().split(/\s*(?:,?\n|,|;(?=\s*[A-Za-z]+\s))\s*/);
    const twice = entries.findIndex((entry, index) => entries.indexOf(entry) < index);
    if (twice > 0) throw new ValueError(`has entry ${twice + 1} twice`);
    const [first, ...others] = entries.map((entry, index) =>
      parseEndpoint(entry, ` in entry ${index + 1}`),
    );
    if (first === undefined) throw new ValueError();
    return [first, ...others] as const;
  },
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
