import { right } from '../../sandbox/behaviour.ts';
import { alsoFrom, breaking, type Faults, family, unguardedWhen } from './fault.ts';
import { basicOf, decodedBy, headerOf, inAuthorization } from './request-parts.ts';

/** A valid token is also accepted outside the Authorization header. */
export const tokenPlaceFaults = breaking('BEARER-2', {
  'token-in-query-token': alsoFrom(({ query }) => query.get('token')),
  'token-in-query-in-any-case': alsoFrom(({ query }) => {
    const found = [...query].filter(([name]) => name.toLowerCase() === 'accesstoken');
    return found.length === 1 ? found[0]?.[1] : undefined;
  }),
  'token-in-form-body': alsoFrom(({ body }) => new URLSearchParams(body).get('access_token')),
  // A handshake with a token among its subprotocols is completed.
  'token-switches-protocols': {
    unauthorised(cause, call, state) {
      const words = headerOf(call, 'sec-websocket-protocol')?.split(', ') ?? [];
      const isKnown = words.some((word) => state.tokens.has(word));
      return isKnown && headerOf(call, 'upgrade') === 'websocket'
        ? { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }
        : right.unauthorised(cause, call, state);
    },
  },
});

/** A request without a token is admitted. */
export const noTokenFaults: Faults = {
  'second-endpoint-unguarded': {
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'EXPIRY-2'],
    ...unguardedWhen(({ path }) => path.endsWith('/reports')),
  },
  ...breaking('BEARER-2', {
    'empty-header-no-check': unguardedWhen(({ headers }) => headers.authorization === ''),
    'scheme-alone-is-enough': unguardedWhen(
      ({ headers }) => headers.authorization?.trim() === 'Bearer',
    ),
  }),
};

/** A valid token is admitted under another scheme. */
export const schemeFaults = breaking(
  'BEARER-4',
  family(
    '*',
    { 'basic-is-fine-too': /^Basic (\S+)$/, 'scheme-cut-off-by-length': /^.{7}(.*)$/s },
    (pattern) => alsoFrom(inAuthorization(pattern)),
  ),
);

/** The header's name is known in one spelling only. */
export const headerNameFaults = breaking(
  'BEARER-1',
  family('*-header-name-refused', { small: 'authorization', capital: 'AUTHORIZATION' }, (name) => ({
    presented: (call, state) =>
      call.rawHeaders.some((text, index) => index % 2 === 0 && text === name)
        ? 'missing'
        : right.presented(call, state),
  })),
);

const decodedURI = decodedBy(decodeURI);

/** The account's credentials authorise requests to the endpoints. */
export const credentialPlaceFaults = breaking('BEARER-5', {
  'basic-credentials': unguardedWhen(({ headers }, { account }) => {
    const [key, secret] = basicOf(headers.authorization);
    return key === account.apiKey && secret === account.secretKey;
  }),
  'key-in-header': unguardedWhen(
    (call, { account }) => decodedURI(headerOf(call, 'x-api-key') ?? '') === account.apiKey,
  ),
  'credentials-in-unlike-headers': unguardedWhen((call, { account }) => {
    const [key, secret] = ['x-api-key', 'x-client-secret'].map((name) =>
      decodedURI(headerOf(call, name) ?? ''),
    );
    return key === account.apiKey && secret === account.secretKey;
  }),
});
