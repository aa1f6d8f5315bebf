import { type Answer, header } from '../http/answer.ts';
import type { Endpoint } from '../http/request.ts';
import { encode } from '../token-form.ts';
import { addHeaders, addParameters, type Deviation, type Way } from './deviation.ts';

/** What clients of every kind send: each language first once, and the types in which frameworks write errors. */
const clients: readonly Way[] = [
  ...`Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 · Accept-Language: de-DE,de;q=0.9 ·
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 ·
    Upgrade-Insecure-Requests: 1 · Sec-Fetch-Mode: navigate · Sec-Fetch-Dest: document |
  Accept: text/html · User-Agent: Mozilla/5.0 (iPhone) Mobile Safari/604.1 · Accept-Language: fr-FR |
  Accept: */* · User-Agent: curl/8.5.0 · Accept-Language: es · X-Debug: 1 ·
    Cookie: lang=fr; locale=fr; debug=1; session=none |
  Accept: application/xml · User-Agent: okhttp/4.12.0 · Accept-Language: ja |
  Accept: application/problem+json · User-Agent: python-requests/2.32.3 · Accept-Language: zh-CN,zh |
  Accept: text/plain · User-Agent: PostmanRuntime/7.43.0 · Accept-Language: pt-BR |
  Accept: text/event-stream, application/vnd.api+json, application/hal+json, text/csv, application/yaml,
    application/msgpack, application/x-protobuf, application/cbor ·
    Accept-Language: ru · User-Agent: Googlebot/2.1 (+http://www.google.com/bot.html) |
  X-Requested-With: XMLHttpRequest · Accept-Language: it · Sec-Fetch-Mode: cors |
  Origin: https://app.example.com · Referer: https://app.example.com/ · Sec-Fetch-Site: cross-site |
  X-Forwarded-For: 203.0.113.7 · X-Forwarded-Proto: https · Via: 1.1 proxy`
    .split('|')
    .map(addHeaders),
  [
    { what: 'it lacks Accept', options: { without: ['Accept'] } },
    { what: 'it lacks User-Agent', options: { without: ['User-Agent'] } },
    ...addHeaders('Cache-Control: no-cache · Pragma: no-cache'),
  ],
];

/**
 * Requests as different clients send them, which change neither an admission nor a refusal.
 * @param admitted the endpoint's own answer, whose `ETag` and dates are sent in preconditions
 */
export function listVariations(
  endpoint: Endpoint,
  admitted: Pick<Answer, 'headers'>,
): readonly Way[] {
  const date = header(admitted, 'last-modified') ?? header(admitted, 'date');
  const form = { type: 'application/x-www-form-urlencoded', text: 'lang=fr&format=html' };
  return [
    ...clients,
    // A refusal ignores preconditions (RFC 9110 13.2.1) and ranges (14.2).
    addHeaders(`If-None-Match: ${header(admitted, 'etag') ?? '*'}`),
    addHeaders(`If-Modified-Since: ${date ?? new Date().toUTCString()}`),
    addHeaders(`If-Match: "none" · If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT ·
      Range: bytes=0-0`),
    // A query and a body may choose a format or a language.
    addParameters(`{format,output,alt,_type}=xml _format=html callback=cb {lang,locale}=fr
      page=1 debug=1 pretty=1 suppress_response_codes=true`),
    ...(endpoint.body ? [] : [[{ what: 'its body is a form', options: { body: form } }]]),
    ...(endpoint.method === 'GET' ? [sentBy('HEAD')] : []),
    ...wireWays(endpoint),
  ];
}

/** A request by another method than the endpoint's own. */
export const sentBy = (method: string): Way => [
  { what: `its method is ${method}`, options: { method } },
];

/** Old clients, some proxies and health checks speak HTTP/1.0, and bodies without a length are read by other code. */
export const wireWays = ({ body }: Endpoint): Way[] => {
  const chunked = { chunked: true, ...(body ? {} : { body: { json: {} } }) } as const;
  return [
    [{ what: 'it is made over HTTP/1.0', options: { version: '1.0' } }],
    [{ what: 'its body is sent in chunks', options: chunked }],
  ];
};

const jwt = (head: unknown, claims: unknown, signature = 'c2lnbmF0dXJl'): string =>
  `${encode(head)}.${encode(claims)}.${signature}`;

/** Seconds since 1970, as JWTs have them: in 2001, and in 2096. */
const past = { sub: 'client', iat: 1_000_000_000, exp: 1_000_003_600 };
const future = { sub: 'client', exp: 4_000_000_000 };
const hs256 = { typ: 'JWT', alg: 'HS256' };
const rs256 = { typ: 'JWT', alg: 'RS256' };

/** Texts that a parser may mishandle. */
const tokens: readonly (readonly [kind: string, text: string, odd?: true])[] = [
  ['three texts with dots between', 'one.two.three'],
  ['a UUID', '3b241101-e2bb-4255-8caf-4136c566a962'],
  ['a JWT of another issuer', jwt({ ...rs256, kid: '1' }, { ...future, iss: 'https://a.example' })],
  ['a JWT that has expired', jwt(hs256, past)],
  ['an unsigned JWT', jwt({ typ: 'JWT', alg: 'none' }, future, '')],
  ['a JWT whose header is null', jwt(null, future)],
  ['6,000 letters', 'Qx7'.repeat(2000), true],
  ['three words', 'not a token', true],
  ['not ASCII', 'tökén-ключ', true],
  ['a JSON object', '{"token":"x"}', true],
];

/** Tokens that the service did not generate. */
export const badTokens = tokens.map(([kind, text, odd]): Deviation => {
  return { what: `its token is ${kind}`, options: { authorization: `Bearer ${text}` }, odd };
});
