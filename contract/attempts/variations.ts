import { encoded } from '../attempts/jwt.ts';
import { type Answer, header } from '../http/answer.ts';
import type { CallOptions, Endpoint } from '../http/request.ts';
import { type Deviation, hasHeader, merged } from './deviation.ts';

/** Deviations that one request can have at once without hiding one another. */
export type Variation = readonly Deviation[];

/** A server that cannot give an accepted type may say so (RFC 9110 12.1, OPEN-9). */
const accepts = (value: string): Deviation => ({ ...hasHeader('Accept', value), tolerated: [406] });
const speaks = (language: string): Deviation => hasHeader('Accept-Language', language);
const isSentBy = (agent: string): Deviation => hasHeader('User-Agent', agent);

/** Types in which frameworks and their extensions write answers, errors among them. */
const rareTypes = [
  ...['text/event-stream', 'application/vnd.api+json', 'application/hal+json', 'text/csv'],
  ...['application/yaml', 'application/msgpack', 'application/x-protobuf', 'application/cbor'],
];

/** Headers that clients of every kind send. Each language is the first choice of one client. */
const clients: readonly Variation[] = [
  [
    accepts('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'),
    isSentBy('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36'),
    speaks('de-DE,de;q=0.9'),
    hasHeader('Upgrade-Insecure-Requests', '1'),
    hasHeader('Sec-Fetch-Mode', 'navigate'),
    hasHeader('Sec-Fetch-Dest', 'document'),
  ],
  [accepts('text/html'), isSentBy('Mozilla/5.0 (iPhone) Mobile Safari/604.1'), speaks('fr-FR')],
  [
    accepts('*/*'),
    isSentBy('curl/8.5.0'),
    speaks('es'),
    hasHeader('Cookie', 'lang=fr; locale=fr; debug=1; session=none'),
    hasHeader('X-Debug', '1'),
  ],
  [
    { what: 'it lacks Accept', options: { without: ['Accept'] } },
    { what: 'it lacks User-Agent', options: { without: ['User-Agent'] } },
    hasHeader('Cache-Control', 'no-cache'),
    hasHeader('Pragma', 'no-cache'),
  ],
  [accepts('application/xml'), isSentBy('okhttp/4.12.0'), speaks('ja')],
  [accepts('application/problem+json'), isSentBy('python-requests/2.32.3'), speaks('zh-CN,zh')],
  [accepts('text/plain'), isSentBy('PostmanRuntime/7.43.0'), speaks('pt-BR')],
  [
    accepts(rareTypes.join(', ')),
    isSentBy('Googlebot/2.1 (+http://www.google.com/bot.html)'),
    speaks('ru'),
  ],
  [
    hasHeader('X-Requested-With', 'XMLHttpRequest'),
    speaks('it'),
    hasHeader('Sec-Fetch-Mode', 'cors'),
  ],
  [
    hasHeader('Origin', 'https://app.example.com'),
    hasHeader('Referer', 'https://app.example.com/'),
    hasHeader('Sec-Fetch-Site', 'cross-site'),
  ],
];

/** A refusal ignores preconditions (RFC 9110 13.2.1) and ranges (14.2). */
const conditions = (admitted: Answer): readonly Variation[] => [
  [hasHeader('If-None-Match', header(admitted, 'etag') ?? '*')],
  [
    hasHeader(
      'If-Modified-Since',
      header(admitted, 'last-modified') ?? header(admitted, 'date') ?? new Date().toUTCString(),
    ),
  ],
  [
    hasHeader('If-Match', '"none"'),
    hasHeader('If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'),
    hasHeader('Range', 'bytes=0-0'),
  ],
];

const format =
  'format=xml&_format=html&alt=xml&_type=xml&output=xml&callback=cb&lang=fr&locale=fr&debug=1&pretty=1';

/** A query and a body that choose a format or a language, and HEAD, which is answered like GET. */
function shapes({ method, body }: Endpoint): readonly Variation[] {
  const query = `${format}&suppress_response_codes=true`;
  const form = { type: 'application/x-www-form-urlencoded', text: 'lang=fr&format=html' };
  return [
    [
      { what: `its query is ${query}`, parameter: query },
      ...(body === undefined ? [{ what: 'its body is a form', options: { body: form } }] : []),
    ],
    ...(method === 'GET' ? [[{ what: 'its method is HEAD', options: { method: 'HEAD' } }]] : []),
  ];
}

/** @param admitted the endpoint's own answer, whose `ETag` and dates are sent in preconditions */
export const variationsOf = (endpoint: Endpoint, admitted: Answer): readonly Variation[] => [
  ...clients,
  ...conditions(admitted),
  ...shapes(endpoint),
];

/**
 * Requests with a valid token, as different clients send them: also with a query, through a proxy, over HTTP/1.0, and
 * with a body of unknown length. A header that the endpoint's owner configures is sent as it is configured.
 */
export function ordinaryVariations(endpoint: Endpoint): readonly Variation[] {
  const { body, headers = {} } = endpoint;
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const isFree = (deviation: Deviation): boolean =>
    !Object.keys(merged([deviation], endpoint).headers ?? {}).some((name) =>
      own.has(name.toLowerCase()),
    );
  const others: readonly Variation[] = [
    [{ what: 'its query is page=1&lang=fr', parameter: 'page=1&lang=fr' }],
    [
      hasHeader('X-Forwarded-For', '203.0.113.7'),
      hasHeader('X-Forwarded-Proto', 'https'),
      hasHeader('Via', '1.1 proxy'),
    ],
    [{ what: 'it is made over HTTP/1.0', options: { version: '1.0' } }],
    [{ what: 'its body is sent in chunks', options: inChunks(body) }],
  ];
  return [...clients, ...others]
    .map((variation) => variation.filter(isFree))
    .filter(({ length }) => length > 0);
}

/** A body of unknown length: the endpoint's own, or an empty object. */
export const inChunks = (body: Endpoint['body']): CallOptions => ({
  ...(body === undefined ? { body: { json: {} } } : {}),
  chunked: true,
});

const jwt = (head: object, claims: object, signature = 'c2lnbmF0dXJl'): string =>
  `${encoded({ typ: 'JWT', ...head })}.${encoded({ sub: 'client', ...claims })}.${signature}`;

/** Seconds since 1970, as JWTs have them: in 2001, and in 2096. */
const past = 1_000_000_000;
const future = 4_000_000_000;

/** More levels than Python's recursion and PHP's decoder of JSON allow, in fewer characters than IIS does. */
const nested = Buffer.from('['.repeat(1200)).toString('base64url');

/** Tokens that the service did not generate, of every form that a parser may mishandle. */
export const badTokens: readonly Deviation[] = (
  [
    ['three texts with dots between', 'one.two.three'],
    ['five texts with dots between', 'one.two.three.four.five'],
    [
      'a JWT of another issuer',
      jwt({ alg: 'RS256', kid: '1' }, { iss: 'https://login.example.com', exp: future }),
    ],
    ['a JWT that has expired', jwt({ alg: 'HS256' }, { iat: past, exp: past + 3600 })],
    ['an unsigned JWT', jwt({ alg: 'none' }, { exp: future }, '')],
    ['a JWT whose header is cut', jwt({ alg: 'HS256' }, { exp: future }).slice(7)],
    ['a UUID', '3b241101-e2bb-4255-8caf-4136c566a962'],
    ['64 hexadecimal digits', '0f1e2d3c4b5a6978'.repeat(4)],
    ['one letter', 'x'],
    ['base64 with padding', 'bm90L2EvdG9rZW4+Pj8/Pw==', { odd: true }],
    ['1,500 letters', 'Qx7'.repeat(500), { odd: true }],
    ['6,000 letters', 'Qx7'.repeat(2000), { odd: true, tolerated: [400, 413, 431] }],
    ['three words', 'not a token', { odd: true, tolerated: [400] }],
    ['a list', 'one,two', { odd: true, tolerated: [400] }],
    ['not ASCII', 'tökén-ключ', { odd: true, tolerated: [400] }],
    ['a JSON object', '{"token":"x"}', { odd: true }],
    ['a percent-encoded NUL', 'abc%00def', { odd: true, tolerated: [400] }],
    ['a JWT whose header is null', `${encoded(null)}.${encoded({ exp: future })}.c2ln`],
    ['a JWT whose claims are null', `${encoded({ alg: 'HS256' })}.${encoded(null)}.c2ln`],
    [
      'a JWT whose claims are not JSON',
      `${encoded({ typ: 'JWT', alg: 'HS256' })}.bm90IEpTT04.c2ln`,
    ],
    ['a JWT whose kid is an object', jwt({ alg: 'RS256', kid: {} }, { exp: future })],
    ['a JWT that claims to be compressed', jwt({ alg: 'HS256', zip: 'DEF' }, { exp: future })],
    [
      'a JWT in base64 instead of base64url',
      jwt({ alg: 'HS256' }, { exp: future }, 'ab+/cd+/eg=='),
      { odd: true },
    ],
    [
      'a JWT whose header is deeply nested',
      `${nested}.${encoded({ exp: future })}.c2ln`,
      { odd: true },
    ],
  ] as const
).map(([kind, text, more = {}]) => ({
  what: `its token is ${kind}`,
  options: { authorization: `Bearer ${text}` },
  ...more,
}));
