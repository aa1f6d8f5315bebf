import { basic } from '../http/client.ts';
import type { Endpoint } from '../http/request.ts';
import { inBase64, type Secret, seal } from '../secrets/secret.ts';
import { headersIn } from './deviation.ts';
import { type Guess, type Item, joined, type Part } from './items.ts';
import * as places from './places.ts';

/** A text with the token in place of TOKEN; or any text that is made of a token, and its description in a finding. */
type Form = string | readonly [how: string, of: (token: Secret) => Secret];

export const bare = 'TOKEN';
export const withScheme = 'Bearer TOKEN';

const written = (pattern: string, token: Secret): Secret => joined(pattern.split('TOKEN'), token);

const asUser: Form = [
  ', as user name of Basic credentials',
  (token) => basic(seal`${token}:${token}`),
];

const inPattern = (pattern: string): Exclude<Form, string> => [
  pattern === bare ? '' : `, behind ${JSON.stringify(pattern.replace('TOKEN', ''))}`,
  (token) => written(pattern, token),
];

/** Guesses that a server takes the token from each of these names, in each of these forms. */
export const tokenIn = (
  part: Part,
  names: readonly string[],
  ...forms: readonly Form[]
): Guess<Secret>[] =>
  forms.flatMap((form) => {
    const [how, of] = typeof form === 'string' ? inPattern(form) : form;
    const kind = { json: 'JSON body', multipart: 'multipart form' }[String(part)] ?? part;
    const place = /^(header|cookie)$/.test(part) ? part : `${kind} as`;
    return names.map((name) => ({
      reason: `the token is in the ${place} ${name}${how}`,
      put: (token) => [{ part, name, value: of(token) }],
    }));
  });

/** Marks a guess as plain, so that its refusal is judged completely. */
export const plain = <From>(guess: Guess<From>): Guess<From> => ({ ...guess, plain: true });

/** All places, besides the Authorization header, from which a service may take a token. */
export function tokenPlaces({ method, path }: Endpoint): readonly Guess<Secret>[] {
  const address = `${path.split('?')[0]}?access_token=TOKEN&token=TOKEN&jwt=TOKEN`;
  const inAddress: Form = [', in the query of an address', (token) => written(address, token)];
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
    (token) =>
      seal`base64url.bearer.authorization.k8s.io.${inBase64(token, 'base64url')}, base64.binary.k8s.io, bearer.${token}, token.${token}, access_token.${token}`,
  ],
];

const handshake = headersIn(
  `Connection: Upgrade · Upgrade: websocket · Sec-WebSocket-Version: 13 ·
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==`,
).map(([name, value]): Item => ({ part: 'header', name, value }));

/** Guesses in the handshake of a WebSocket (RFC 6455 4.1): in its subprotocols, and in its query, as with SignalR. */
const upgraded: readonly Guess<Secret>[] = [
  ...tokenIn('header', [subprotocol], ...subprotocols),
  ...tokenIn('query', places.parameterNames.slice(0, 30), bare),
].map(({ reason, put }) => ({
  reason: `${reason}, of a WebSocket's handshake`,
  put: (token) => [...handshake, ...put(token)],
}));

/** One Authorization header, alone in its request. */
const authorization = (
  reason: string,
  pattern: string,
  form = (text: Secret): Secret => text,
): Guess<Secret> => ({
  reason,
  put: (token) => [{ part: 'header', name: 'Authorization', value: form(written(pattern, token)) }],
});

const underScheme = (scheme: string): Guess<Secret> =>
  authorization(`the scheme is ${scheme}`, `${scheme} TOKEN`);

const alone = (text: string): Guess<Secret> => authorization(`the header is ${text}`, text);

/** The Authorization header with a valid token under another scheme than Bearer, or under none. */
export const tokenSchemes: readonly Guess<Secret>[] = [
  ...[...places.commonSchemes.map(underScheme), alone(bare)].map(plain),
  ...places.withoutScheme.map(alone),
  ...places.schemes.map(underScheme),
  ...places.basicPairs.map((pair) =>
    authorization(`the Basic credentials are ${pair}`, pair, basic),
  ),
];
