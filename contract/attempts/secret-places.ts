import type { Endpoint } from '../http/request.ts';
import type { Account } from '../secrets/secret.ts';
import { type Deviation, headersIn, type Part } from './deviation.ts';
import * as places from './places.ts';

export const bare = 'TOKEN';
export const withScheme = 'Bearer TOKEN';
const asUser = 'Basic base64(TOKEN:TOKEN)';

/** Places from which a server may take the token: each of these names, with each of these texts. */
export const tokenIn = (part: Part, names: readonly string[], ...texts: readonly string[]) =>
  texts.flatMap((text) => {
    const how = text === bare ? '' : `, as ${JSON.stringify(text)}`;
    const place = /^(header|cookie)$/.test(part) ? part : `${part.replace('json', 'JSON body')} as`;
    return names.map((name) => ({
      what: `the token is in the ${place} ${name}${how}`,
      items: [{ part, name, text }],
    }));
  });

/** Marks a place as ordinary, so that a refusal there is judged completely. */
export const plain = (place: Deviation): Deviation => ({ ...place, plain: true });

/** Browsers set no other header of a WebSocket's handshake (RFC 6455 4.1), so clients put tokens among its subprotocols. */
const handshake: Deviation = {
  what: "the token is among the subprotocols of a WebSocket's handshake",
  items: headersIn(`
    Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Version: 13 · Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== ·
    Sec-WebSocket-Protocol: bearer, access_token, TOKEN, bearer.TOKEN, token.TOKEN, access_token.TOKEN
  `).map(([name, text]) => ({ part: 'header', name, text })),
};

/** All places, besides the Authorization header, from which a service may take a token. */
export function tokenPlaces({ method, path }: Endpoint): readonly Deviation[] {
  const inAddress = `${path.split('?')[0]}?access_token=TOKEN&token=TOKEN&jwt=TOKEN`;
  const hasBody = /^(POST|PUT|PATCH)$/.test(method);
  return [
    // One of each kind is an ordinary request, whose refusal is judged completely. A body is unusual with GET.
    ...tokenIn('query', ['access_token'], bare).map(plain),
    ...tokenIn('cookie', ['access_token'], bare).map(plain),
    ...tokenIn('header', ['X-Access-Token'], bare).map(plain),
    ...tokenIn('form', hasBody ? ['access_token'] : [], bare).map(plain),
    ...tokenIn('query', places.parameterNames, bare, withScheme),
    // A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it.
    ...tokenIn('cookie', places.cookieNames, bare, withScheme, 'Bearer%20TOKEN'),
    ...tokenIn('header', places.headerNames, bare, withScheme),
    ...tokenIn('header', places.addressHeaderNames, inAddress),
    ...tokenIn('header', places.authorizationLike, asUser),
    handshake,
    ...tokenIn('json', places.jsonNames, bare, withScheme),
    ...tokenIn('form', places.parameterNames, bare, withScheme),
  ];
}

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

const asBasic = 'Basic base64(KEY:SECRET)';

/** Ordinary requests, but for a percent sign. */
const credentialHeaders: readonly Deviation[] = [
  inHeader('the API key is the token', 'Bearer uri(KEY)'),
  inHeader('the secret key is the token', 'Bearer uri(SECRET)'),
  inHeader('the API key has a scheme of its own', 'ApiKey uri(KEY)'),
  inHeader('key and secret, as Basic has them, are the token', 'Bearer base64(KEY:SECRET)'),
  inHeader('key and secret are Basic credentials', asBasic),
];

const otherPlaces: readonly Deviation[] = [
  inHeader('secret and key are Basic credentials', 'Basic base64(SECRET:KEY)'),
  inHeader('the API key alone is the Basic user', 'Basic base64(KEY:)'),
  inHeader('the API key stands alone', 'uri(KEY)'),
  ...places.authorizationLike.map((name) =>
    inHeader(`key and secret are Basic credentials in the header ${name}`, asBasic, name),
  ),
  ...[...new Set(places.keyHeaders.flat())].map((name) =>
    inHeader(`the secret key is in the header ${name}`, 'uri(SECRET)', name),
  ),
  ...pairsIn('header', places.keyHeaders),
  ...(['query', 'cookie', 'json', 'form'] as const).flatMap((part) =>
    pairsIn(part, places.keyParameters),
  ),
];

/** All places from which a service may take the API key and the secret key instead of a token. */
export function credentialPlaces({ apiKey, secretKey }: Account): readonly Deviation[] {
  // A firewall may refuse a percent sign before the service sees it, so with one only an admission counts.
  const isOdd = [apiKey, secretKey].some((half) => half.is((text) => encodeURI(text) !== text));
  return [...(isOdd ? credentialHeaders : credentialHeaders.map(plain)), ...otherPlaces];
}

function pairsIn(part: Part, names: readonly (readonly string[])[]): Deviation[] {
  const isHeader = part === 'header' || part === 'cookie';
  const [key, secret] = isHeader ? ['uri(KEY)', 'uri(SECRET)'] : ['KEY', 'SECRET'];
  return names.map(([first = '', second = '']) => ({
    what: `the API key and the secret key are in ${part} ${first} and ${second}`,
    items: [
      { part, name: first, text: key },
      { part, name: second, text: secret },
    ],
  }));
}
