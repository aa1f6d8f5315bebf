import { basic } from '../http/client.ts';
import type { Endpoint } from '../http/request.ts';
import { inBase64, type Secret, seal } from '../secrets/secret.ts';
import { headersIn } from './deviation.ts';
import type { Guess, Item, Part } from './items.ts';
import {
  addressHeaderNames,
  authorizationLike,
  basicPairs,
  commonSchemes,
  cookieNames,
  headerNames,
  jsonNames,
  parameterNames,
  pathPatterns,
  respeltParameterNames,
  schemes,
  withoutScheme,
  words,
} from './places.ts';
import {
  asWritten,
  authorization,
  bare,
  basicCredentials,
  form,
  plain,
  type TokenForm,
  tokenIn,
  withScheme,
} from './token-guesses.ts';

/** All places, besides the Authorization header, from which a service may take a token. */
export const tokenPlaces = (endpoint: Endpoint): readonly Guess<Secret>[] => [
  ...plainGuesses(endpoint).map(plain),
  inSeveralPlaces,
  ...inQuery,
  ...inCookies,
  ...inHeaders(endpoint),
  ...inBody,
];

/** One of each kind is an ordinary request, whose refusal is judged completely. A body is unusual with GET. */
const plainGuesses = ({ method }: Endpoint): Guess<Secret>[] => [
  ...tokenIn('query', ['access_token'], bare),
  ...tokenIn('cookie', ['access_token'], bare),
  ...tokenIn('header', ['X-Access-Token'], bare),
  ...(/^(POST|PUT|PATCH)$/.test(method) ? tokenIn('form', ['access_token'], bare) : []),
];

/**
 * One address may have several servers, and one of them may read tokens from customary places: one of two servers that
 * are chosen at random is missed once in 64 times.
 */
const inSeveralPlaces: Guess<Secret> = {
  reason: 'the token is in the query, in cookies and in other headers',
  times: 6,
  put(token) {
    const encoded = token.derive(encodeURIComponent);
    const put = (part: Part, names: string, value = token): Item[] =>
      words(names).map((name) => ({ part, name, value }));
    return [
      ...put('query', 'access_token token'),
      ...put('cookie', 'access_token token', encoded),
      ...put('header', 'X-Access-Token X-Auth-Token X-Api-Key Token'),
    ];
  },
};

const inQuery: readonly Guess<Secret>[] = [
  ...tokenIn('query', parameterNames, bare),
  ...tokenIn('query', parameterNames, withScheme),
  ...tokenIn('query', respeltParameterNames, bare),
  ...tokenIn('path', pathPatterns, bare),
];

/** A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it. */
const encoded = form(', behind "Bearer%20"', 'Bearer%20TOKEN');

const inCookies: readonly Guess<Secret>[] = [bare, withScheme, encoded].flatMap((form) =>
  tokenIn('cookie', cookieNames, form),
);

const inBody: readonly Guess<Secret>[] = [
  ...tokenIn('json', jsonNames, bare),
  ...tokenIn('json', jsonNames, withScheme),
  ...tokenIn('form', parameterNames, bare),
  ...tokenIn('form', parameterNames, withScheme),
  ...tokenIn('multipart', parameterNames, bare),
];

const asBasic: TokenForm = {
  how: ', as user name of Basic credentials',
  of: (secret) => basic(seal`${secret}:${secret}`),
};

const subprotocol = 'Sec-WebSocket-Protocol';

/** Browsers cannot set other headers of a WebSocket handshake, so clients put tokens into the list of subprotocols. */
const subprotocols: readonly TokenForm[] = [
  form(', behind "bearer, "', 'bearer, TOKEN'),
  form(', behind "access_token, "', 'access_token, TOKEN'),
  {
    how: ', in one of its words',
    of: (secret) =>
      seal`base64url.bearer.authorization.k8s.io.${inBase64(secret, 'base64url')}, base64.binary.k8s.io, bearer.${secret}, token.${secret}, access_token.${secret}`,
  },
  bare,
];

/** The handshake of a WebSocket (RFC 6455 4.1). */
const handshake = headersIn(
  `Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Version: 13 ·
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
).map(([name, value]): Item => ({ part: 'header', name, value }));

/** Guesses in the handshake of a WebSocket: in its subprotocols, and in its query, as with SignalR. */
const upgraded: readonly Guess<Secret>[] = [
  ...subprotocols.slice(0, 3).flatMap((form) => tokenIn('header', [subprotocol], form, handshake)),
  ...tokenIn('query', parameterNames.slice(0, 30), bare, handshake),
].map((guess) => ({ ...guess, reason: `${guess.reason}, of a WebSocket's handshake` }));

function inHeaders({ path }: Endpoint): Guess<Secret>[] {
  const [plainPath = ''] = path.split('?');
  const query = '?access_token=TOKEN&token=TOKEN&jwt=TOKEN';
  const address = form(', in the query of an address', `${plainPath}${query}`);
  return [
    ...subprotocols.flatMap((form) => tokenIn('header', [subprotocol], form)),
    ...tokenIn('header', headerNames, bare),
    ...tokenIn('header', headerNames, withScheme),
    ...tokenIn('header', addressHeaderNames, address),
    ...tokenIn('header', authorizationLike, asBasic),
    ...upgraded,
  ];
}

const underScheme = (scheme: string): Guess<Secret> =>
  authorization(`the scheme is ${scheme}`, asWritten(`${scheme} TOKEN`));

/** The Authorization header with a valid token under another scheme than Bearer, or under none. */
export const tokenSchemes: readonly Guess<Secret>[] = [
  ...commonSchemes.map(underScheme).map(plain),
  plain(authorization('the header is TOKEN', asWritten('TOKEN'))),
  ...withoutScheme.map((text) => authorization(`the header is ${text}`, asWritten(text))),
  ...schemes.map(underScheme),
  ...basicPairs.map((pair) =>
    basicCredentials(`the Basic credentials are ${pair}`, asWritten(pair)),
  ),
];
