import type { Endpoint } from '../http/request.ts';
import type { Account } from '../secrets/secret.ts';
import { type Deviation, headersIn, type Item, type Part } from './deviation.ts';
import * as places from './places.ts';

/** A text with the token, and its description in a finding: by default what precedes the token. */
type Form = string | readonly [how: string, text: string];

export const bare = 'TOKEN';
export const withScheme = 'Bearer TOKEN';

const asUser: Form = [', as user name of Basic credentials', 'Basic base64(TOKEN:TOKEN)'];

const described = (text: string): Exclude<Form, string> => [
  text === bare ? '' : `, behind ${JSON.stringify(text.replace('TOKEN', ''))}`,
  text,
];

/** Places from which a server may take the token: each of these names, with each of these forms of it. */
export const tokenIn = (part: Part, names: readonly string[], ...forms: readonly Form[]) =>
  forms.flatMap((form) => {
    const [how, text] = typeof form === 'string' ? described(form) : form;
    const kind = { json: 'JSON body', multipart: 'multipart form' }[String(part)] ?? part;
    const place = /^(header|cookie)$/.test(part) ? part : `${kind} as`;
    return names.map((name) => ({
      what: `the token is in the ${place} ${name}${how}`,
      items: [{ part, name, text }],
    }));
  });

/** Marks a place as ordinary, so that a refusal there is judged completely. */
export const plain = (place: Deviation): Deviation => ({ ...place, plain: true });

/** All places, besides the Authorization header, from which a service may take a token. */
export function tokenPlaces({ method, path }: Endpoint): readonly Deviation[] {
  const address = `${path.split('?')[0]}?access_token=TOKEN&token=TOKEN&jwt=TOKEN`;
  const inAddress: Form = [', in the query of an address', address];
  const hasBody = /^(POST|PUT|PATCH)$/.test(method);
  return [
    // One of each kind is an ordinary request, whose refusal is judged completely. A body is unusual with GET.
    ...tokenIn('query', ['access_token'], bare).map(plain),
    ...tokenIn('cookie', ['access_token'], bare).map(plain),
    ...tokenIn('header', ['X-Access-Token'], bare).map(plain),
    ...tokenIn('form', hasBody ? ['access_token'] : [], bare).map(plain),
    ...tokenIn('query', places.parameterNames, bare, withScheme),
    ...tokenIn('query', places.respeltParameterNames, bare),
    ...tokenIn('path', places.pathPatterns, bare),
    // A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it.
    ...tokenIn('cookie', places.cookieNames, bare, withScheme, 'Bearer%20TOKEN'),
    ...tokenIn('header', [subprotocol], ...subprotocols, bare),
    ...tokenIn('header', places.headerNames, bare, withScheme),
    ...tokenIn('header', places.addressHeaderNames, inAddress),
    ...tokenIn('header', places.authorizationLike, asUser),
    ...upgraded,
    ...tokenIn('json', places.jsonNames, bare, withScheme),
    ...tokenIn('form', places.parameterNames, bare, withScheme),
    ...tokenIn('multipart', places.parameterNames, bare),
  ];
}

/** Browsers cannot set other headers of a WebSocket handshake, so clients put tokens into the list of subprotocols. */
const subprotocol = 'Sec-WebSocket-Protocol';
const subprotocols: readonly Form[] = [
  'bearer, TOKEN',
  'access_token, TOKEN',
  [
    ', in one of its words',
    'base64url.bearer.authorization.k8s.io.base64url(TOKEN), base64.binary.k8s.io, bearer.TOKEN, token.TOKEN, access_token.TOKEN',
  ],
];

const handshake = headersIn(
  `Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Version: 13 ·
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
).map(([name, text]): Item => ({ part: 'header', name, text }));

/** Places in the handshake of a WebSocket (RFC 6455 4.1): its subprotocols, and its query, as with SignalR. */
const upgraded: readonly Deviation[] = [
  ...tokenIn('header', [subprotocol], ...subprotocols),
  ...tokenIn('query', places.parameterNames.slice(0, 30), bare),
].map(({ what, items }) => ({
  what: `${what}, of a WebSocket's handshake`,
  items: [...handshake, ...items],
}));

/** By default the Authorization header, which is alone in its request. */
export const inHeader = (what: string, text: string, name = 'Authorization'): Deviation => ({
  what,
  items: [{ part: 'header', name, text }],
});

const underScheme = (scheme: string): Deviation =>
  inHeader(`the scheme is ${scheme}`, `${scheme} TOKEN`);

const alone = (text: string): Deviation => inHeader(`the header is ${text}`, text);

/** The Authorization header with a valid token under another scheme than Bearer, or under none. */
export const tokenSchemes: readonly Deviation[] = [
  ...[...places.commonSchemes.map(underScheme), alone(bare)].map(plain),
  ...places.withoutScheme.map(alone),
  ...places.schemes.map(underScheme),
  ...places.basicPairs.map((pair) =>
    inHeader(`the Basic credentials are ${pair}`, `Basic base64(${pair})`),
  ),
];

/** Ordinary requests, but for a percent sign. */
const credentialHeaders: readonly Deviation[] = [
  inHeader('the API key is the token', 'Bearer uri(KEY)'),
  inHeader('the secret key is the token', 'Bearer uri(SECRET)'),
  inHeader('the API key has a scheme of its own', 'ApiKey uri(KEY)'),
  inHeader('key and secret, as Basic has them, are the token', 'Bearer base64(KEY:SECRET)'),
  inHeader('key and secret are Basic credentials', 'Basic base64(KEY:SECRET)'),
];

const otherPlaces: readonly Deviation[] = [
  inHeader('secret and key are Basic credentials', 'Basic base64(SECRET:KEY)'),
  inHeader('the API key alone is the Basic user', 'Basic base64(KEY:)'),
  inHeader('the API key stands alone', 'uri(KEY)'),
  ...places.authorizationLike.map((name) => {
    const what = `key and secret are Basic credentials in the header ${name}`;
    return inHeader(what, 'Basic base64(KEY:SECRET)', name);
  }),
  ...[...new Set(places.keyHeaders.flat())].map((name) =>
    inHeader(`the secret key is in the header ${name}`, 'uri(SECRET)', name),
  ),
  ...pairsIn('header', places.keyHeaders),
  ...(['query', 'cookie', 'json'] as const).flatMap((part) =>
    pairsIn(part, [...places.keyParameters, ...places.smallKeyParameters]),
  ),
  ...pairsIn('form', places.keyParameters),
];

/** All places from which a service may take the API key and the secret key instead of a token. */
export function credentialPlaces({ apiKey, secretKey }: Account): readonly Deviation[] {
  // A firewall may refuse a percent sign before the service sees it, so with one only an admission counts.
  const isOdd = [apiKey, secretKey].some((half) => half.is((text) => encodeURI(text) !== text));
  return [...(isOdd ? credentialHeaders : credentialHeaders.map(plain)), ...otherPlaces];
}

function pairsIn(part: Part, names: readonly (readonly string[])[]): Deviation[] {
  const kind = part === 'json' ? 'JSON' : part;
  const texts =
    part === 'header' || part === 'cookie' ? ['uri(KEY)', 'uri(SECRET)'] : ['KEY', 'SECRET'];
  return names.map((pair) => ({
    what: `the API key and the secret key are in ${kind} ${pair.join(' and ')}`,
    items: pair.map((name, index) => ({ part, name, text: texts[index] ?? '' })),
  }));
}
