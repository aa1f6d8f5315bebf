import type { Guess, Item } from '../contract/attacks/guess.ts';
import {
  bare,
  plain,
  refusesAll,
  type TokenForm,
  tokenIn,
  withScheme,
} from '../contract/attacks/token-guesses.ts';
import {
  addressHeaderNames,
  authorizationLike,
  headerNames,
  parameterNames,
} from '../contract/attacks/token-places.ts';
import { basic } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { inBase64, type Secret, seal } from '../contract/secrets/secret.ts';

/** Gateways and frameworks read tokens from many headers; in this API only one header counts. */
export const aTokenInAnotherHeaderIsRefused: Probe = {
  name: 'a-token-in-another-header-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const path = world.endpoint.path.split('?')[0] ?? '';
    const address: TokenForm = {
      how: ', in the query of an address',
      of: (text) => seal`${path}?access_token=${text}&token=${text}&jwt=${text}`,
    };
    const guesses = [
      ...tokenIn('header', ['X-Access-Token'], bare).map(plain),
      ...subprotocols.flatMap((form) => tokenIn('header', [subprotocol], form)),
      ...tokenIn('header', headerNames, bare),
      ...tokenIn('header', headerNames, withScheme),
      ...tokenIn('header', addressHeaderNames, address),
      ...tokenIn('header', authorizationLike, asBasic),
      ...upgraded(),
    ];
    await refusesAll(world, 'BEARER-2', guesses);
  },
};

const asBasic: TokenForm = {
  how: ', as user name of Basic credentials',
  of: (secret) => basic(seal`${secret}:${secret}`),
};

const subprotocol = 'Sec-WebSocket-Protocol';

/** Browsers cannot set other headers of a WebSocket handshake, so clients put tokens into the list of subprotocols. */
const subprotocols: readonly TokenForm[] = [
  { how: ', behind "bearer, "', of: (secret) => seal`bearer, ${secret}` },
  { how: ', behind "access_token, "', of: (secret) => seal`access_token, ${secret}` },
  {
    how: ', in one of its words',
    of: (secret) =>
      seal`base64url.bearer.authorization.k8s.io.${inBase64(secret, 'base64url')}, base64.binary.k8s.io, bearer.${secret}, token.${secret}, access_token.${secret}`,
  },
  { how: '', of: (secret) => secret },
];

/** The handshake of a WebSocket (RFC 6455 4.1). */
const handshake: readonly Item[] = [
  { part: 'header', name: 'Connection', value: 'Upgrade' },
  { part: 'header', name: 'Upgrade', value: 'websocket' },
  { part: 'header', name: 'Sec-WebSocket-Version', value: '13' },
  { part: 'header', name: 'Sec-WebSocket-Key', value: 'dGhlIHNhbXBsZSBub25jZQ==' },
];

/** Guesses in the handshake of a WebSocket: in its subprotocols, and in its query, as with SignalR. */
const upgraded = (): Guess<Secret>[] =>
  [
    ...subprotocols
      .slice(0, 3)
      .flatMap((form) => tokenIn('header', [subprotocol], form, handshake)),
    ...tokenIn('query', parameterNames.slice(0, 30), bare, handshake),
  ].map((guess) => ({ ...guess, reason: `${guess.reason}, of a WebSocket's handshake` }));
