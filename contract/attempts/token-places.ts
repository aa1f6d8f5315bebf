import { basic } from '../http/client.ts';
import type { Endpoint } from '../http/request.ts';
import { inBase64, type Secret, seal } from '../secrets/secret.ts';
import { headersIn } from './deviation.ts';
import { type Guess, type Item, joined, type Part } from './items.ts';
import * as places from './places.ts';

/** A text with a token in it, and its description in a finding. */
interface TokenForm {
  readonly how: string;
  readonly of: (token: Secret) => Secret;
}

/** A text with the token in place of TOKEN, of which only the token is hidden. */
const asWritten =
  (pattern: string) =>
  (token: Secret): Secret =>
    joined(pattern.split('TOKEN'), token);

const form = (how: string, pattern: string): TokenForm => ({ how, of: asWritten(pattern) });

export const bare = form('', 'TOKEN');
export const withScheme = form(', behind "Bearer "', 'Bearer TOKEN');
const encoded: TokenForm = { how: '', of: (token) => token.derive(encodeURIComponent) };
/** A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it. */
const withEncodedScheme = form(', behind "Bearer%20"', 'Bearer%20TOKEN');
const asBasic: TokenForm = {
  how: ', as user name of Basic credentials',
  of: (token) => basic(seal`${token}:${token}`),
};

/** What a finding calls a part of a request. */
const called: Record<Part, string> = {
  header: 'header',
  path: 'path as',
  query: 'query as',
  cookie: 'cookie',
  json: 'JSON body as',
  form: 'form as',
  multipart: 'multipart form as',
};

/** Guesses that a server takes the token from each of these names, in each of these forms. */
export const tokenIn = (
  part: Part,
  names: readonly string[],
  ...forms: readonly TokenForm[]
): Guess<Secret>[] =>
  forms.flatMap(({ how, of }) =>
    names.map((name) => ({
      reason: `the token is in the ${called[part]} ${name}${how}`,
      put: (token) => [{ part, name, value: of(token) }],
    })),
  );

/** Marks a guess as plain, so that its refusal is judged completely. */
export const plain = <From>(guess: Guess<From>): Guess<From> => ({ ...guess, plain: true });

/** One Authorization header, alone in its request. */
const authorization = (reason: string, of: TokenForm['of']): Guess<Secret> => ({
  reason,
  put: (token) => [{ part: 'header', name: 'Authorization', value: of(token) }],
});

/** All places, besides the Authorization header, from which a service may take a token. */
export function tokenPlaces({ method, path }: Endpoint): readonly Guess<Secret>[] {
  const [plainPath] = path.split('?');
  const query = '?access_token=TOKEN&token=TOKEN&jwt=TOKEN';
  const address = form(', in the query of an address', `${plainPath}${query}`);
  const hasBody = /^(POST|PUT|PATCH)$/.test(method);
  return [
    // One of each kind is an ordinary request, whose refusal is judged completely. A body is unusual with GET.
    ...tokenIn('query', ['access_token'], bare).map(plain),
    ...tokenIn('cookie', ['access_token'], bare).map(plain),
    ...tokenIn('header', ['X-Access-Token'], bare).map(plain),
    ...tokenIn('form', hasBody ? ['access_token'] : [], bare).map(plain),
    inCustomaryPlaces,
    ...tokenIn('query', places.parameterNames, bare, withScheme),
    ...tokenIn('query', places.respeltParameterNames, bare),
    ...tokenIn('path', places.pathPatterns, bare),
    ...tokenIn('cookie', places.cookieNames, bare, withScheme, withEncodedScheme),
    ...tokenIn('header', [subprotocol], ...subprotocols, bare),
    ...tokenIn('header', places.headerNames, bare, withScheme),
    ...tokenIn('header', places.addressHeaderNames, address),
    ...tokenIn('header', places.authorizationLike, asBasic),
    ...upgraded,
    ...tokenIn('json', places.jsonNames, bare, withScheme),
    ...tokenIn('form', places.parameterNames, bare, withScheme),
    ...tokenIn('multipart', places.parameterNames, bare),
  ];
}

const customary: readonly Guess<Secret>[] = [
  ...tokenIn('query', ['access_token', 'token'], bare),
  ...tokenIn('cookie', ['access_token', 'token'], encoded),
  ...tokenIn('header', ['X-Access-Token', 'X-Auth-Token', 'X-Api-Key', 'Token'], bare),
];

/**
 * One address may have several servers, and one of them may read tokens from customary places: one of two servers that
 * are chosen at random is missed once in 64 times.
 */
const inCustomaryPlaces: Guess<Secret> = {
  reason: 'the token is in the query, in cookies and in other headers',
  times: 6,
  put: (token) => customary.flatMap(({ put }) => put(token)),
};

/** Browsers cannot set other headers of a WebSocket handshake, so clients put tokens into the list of subprotocols. */
const subprotocol = 'Sec-WebSocket-Protocol';
const subprotocols: readonly TokenForm[] = [
  form(', behind "bearer, "', 'bearer, TOKEN'),
  form(', behind "access_token, "', 'access_token, TOKEN'),
  {
    how: ', in one of its words',
    of: (token) =>
      seal`base64url.bearer.authorization.k8s.io.${inBase64(token, 'base64url')}, base64.binary.k8s.io, bearer.${token}, token.${token}, access_token.${token}`,
  },
];

/** The handshake of a WebSocket (RFC 6455 4.1). */
const handshake = headersIn(
  `Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Version: 13 ·
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
).map(([name, value]): Item => ({ part: 'header', name, value }));

/** Guesses in a handshake: in its subprotocols, and in its query, as with SignalR. */
const upgraded: readonly Guess<Secret>[] = [
  ...tokenIn('header', [subprotocol], ...subprotocols),
  ...tokenIn('query', places.parameterNames.slice(0, 30), bare),
].map(({ reason, put }) => ({
  reason: `${reason}, of a WebSocket's handshake`,
  put: (token) => [...handshake, ...put(token)],
}));

const underScheme = (scheme: string): Guess<Secret> =>
  authorization(`the scheme is ${scheme}`, asWritten(`${scheme} TOKEN`));

const alone = (text: string): Guess<Secret> =>
  authorization(`the header is ${text}`, asWritten(text));

/** The Authorization header with a valid token under another scheme than Bearer, or under none. */
export const tokenSchemes: readonly Guess<Secret>[] = [
  ...[...places.commonSchemes.map(underScheme), alone('TOKEN')].map(plain),
  ...places.withoutScheme.map(alone),
  ...places.schemes.map(underScheme),
  ...places.basicPairs.map((pair) =>
    authorization(`the Basic credentials are ${pair}`, (token) => basic(asWritten(pair)(token))),
  ),
];
