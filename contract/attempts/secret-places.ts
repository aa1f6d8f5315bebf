import type { Endpoint } from '../http/request.ts';
import type { Account } from '../secrets/secret.ts';
import type { Deviation, Part } from './deviation.ts';
import * as places from './places.ts';

export const bare = 'TOKEN';
export const withScheme = 'Bearer TOKEN';

/** Places from which a server may take the token: each of these names, with each of these texts. */
export const tokenIn = (part: Part, names: readonly string[], ...texts: readonly string[]) =>
  texts.flatMap((text) => {
    const how = text === bare ? '' : `, behind ${JSON.stringify(text.replace('TOKEN', ''))}`;
    const kind = part === 'json' ? 'JSON body' : part;
    const place = /^(header|cookie)$/.test(part) ? part : `${kind} as`;
    return names.map((name) => ({
      what: `the token is in the ${place} ${name}${how}`,
      items: [{ part, name, text }],
    }));
  });

/** Marks a place as ordinary, so that a refusal there is judged completely. */
export const plain = (place: Deviation): Deviation => ({ ...place, plain: true });

/** All places, besides the Authorization header, from which a service may take a token. */
export function tokenPlaces({ method }: Endpoint): readonly Deviation[] {
  const hasBody = /^(POST|PUT|PATCH)$/.test(method);
  return [
    // One of each kind is an ordinary request, whose refusal is judged completely. A body is unusual with GET.
    ...tokenIn('query', ['access_token'], bare).map(plain),
    ...tokenIn('cookie', ['access_token'], bare).map(plain),
    ...tokenIn('header', ['X-Access-Token'], bare).map(plain),
    ...tokenIn('form', hasBody ? ['access_token'] : [], bare).map(plain),
    ...tokenIn('query', places.parameterNames, bare, withScheme),
    ...tokenIn('query', places.respeltParameterNames, bare),
    // A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it.
    ...tokenIn('cookie', places.cookieNames, bare, withScheme, 'Bearer%20TOKEN'),
    ...tokenIn('header', places.headerNames, bare, withScheme),
    ...places.authorizationLike.map((name) => {
      const what = `the token is in the header ${name}, as user name of Basic credentials`;
      return inHeader(what, 'Basic base64(TOKEN:TOKEN)', name);
    }),
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
