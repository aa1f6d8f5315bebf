import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { alsoFrom, breaking, type Faults, family, texts, unguardedWhen } from './fault.ts';
import {
  basicOf,
  behindScheme,
  cookieOf,
  decodedBy,
  headerOf,
  inAuthorization,
  isUpgrade,
  memberOf,
  subprotocolBehind,
  subprotocols,
} from './request-parts.ts';

/** Where a request has a token. */
type Part = (call: Call) => string | null | undefined;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Parts of a request, besides headers, cookies and the query, from which a token is also taken. */
const otherParts: Readonly<Record<string, Part>> = {
  'forwarded-authorization': (call) => headerOf(call, 'x-forwarded-authorization')?.slice(7),
  'proxy-authorization': (call) => headerOf(call, 'proxy-authorization')?.slice(7),
  'basic-in-authentication': (call) => basicOf(headerOf(call, 'authentication'))[0],
  referer: (call) => new URLSearchParams(headerOf(call, 'referer')?.split('?')[1]).get('token'),
  'query-capital-token': ({ query }) => query.get('Token'),
  'query-with-scheme': ({ query }) => behindScheme(query.get('authorization')),
  'query-in-any-case': ({ query }) => {
    const found = [...query].filter(([name]) => name.toLowerCase() === 'accesstoken');
    return found.length === 1 ? found[0]?.[1] : undefined;
  },
  'cookie-with-scheme': (call) => behindScheme(cookieOf(call, 'Authorization')),
  'form-body': ({ body }) => new URLSearchParams(body).get('access_token'),
  'form-with-scheme': ({ body }) => behindScheme(new URLSearchParams(body).get('token')),
  'multipart-form': ({ body }) => /name="access_token"\r\n\r\n(.*)\r\n/.exec(body)?.[1],
  'json-body': ({ body }) => /"token":"([^"]*)"/.exec(body)?.[1],
  'json-jwt': (call) => memberOf(call, 'jwt'),
  'nested-json': (call) => memberOf(call, 'data', 'accessToken'),
  'headers-in-json': (call) => behindScheme(memberOf(call, 'headers', 'Authorization')),
  subprotocol: (call) => subprotocolBehind(call, 'bearer'),
  'upgraded-subprotocol': (call) =>
    isUpgrade(call) ? subprotocolBehind(call, 'access_token') : undefined,
  // As Kubernetes has it.
  'encoded-subprotocol': (call) => {
    const start = 'base64url.bearer.authorization.k8s.io.';
    const word = subprotocols(call).find((one) => one.startsWith(start));
    return Buffer.from(word?.slice(start.length) ?? '', 'base64url').toString();
  },
  'upgraded-query': (call) => (isUpgrade(call) ? call.query.get('access_token') : undefined),
};

/** Parts of the path that the router ignores, and from which the guard reads a token. */
const partsOfPath = {
  'path-parameter': /;.*;JSESSIONID=([^;]+).*/,
  'segment-before': /(?<=\/v1)\/([\w-]{20,})(?=\/)/,
  'segment-behind': /(?<=\/v1\/\w+)\/([\w-]{20,})$/,
};

/** A valid token is also accepted outside the Authorization header. */
export const tokenPlaceFaults = breaking('BEARER-2', {
  ...family('token-in-*', texts('X-Access-Token', 'X-Api-Key', 'Private-Token'), inHeader),
  ...family('token-in-*', texts('X-Goog-IAP-JWT-Assertion', 'Cf-Access-Jwt-Assertion'), inHeader),
  ...family('token-in-*', texts('X-Authorization', 'X-Amz-Security-Token', 'Sessionid'), inHeader),
  ...family(
    'token-in-*-with-scheme',
    texts('X-Serverless-Authorization', 'HTTP_AUTHORIZATION', 'Authorisation', 'Token'),
    (name) => alsoFrom((call) => behindScheme(headerOf(call, name.toLowerCase()))),
  ),
  ...family('token-in-query-*', texts('token', 'api_token', 'jwt', 'key'), (name) =>
    alsoFrom(({ query }) => query.get(name)),
  ),
  ...family('token-in-cookie-*', texts('access_token', 'access_token_cookie', 'session'), inCookie),
  ...family(
    'token-in-*-cookie',
    {
      'next-auth': '__Secure-next-auth.session-token',
      access: 'CF_Authorization',
      connect: 'connect.sid',
    },
    inCookie,
  ),
  ...family('token-in-*', otherParts, (part) => alsoFrom(part)),
  ...family('token-in-*', partsOfPath, (part) => ({
    ...alsoFrom(({ path }) => part.exec(path)?.[1]),
    route: (call, state) => right.route({ ...call, path: call.path.replace(part, '') }, state),
  })),
  // A handshake with a token among its subprotocols is completed.
  'token-switches-protocols': {
    unauthorised(cause, call, state) {
      const known = subprotocols(call).some((word) => state.tokens.has(word));
      if (!isUpgrade(call) || !known) return right.unauthorised(cause, call, state);
      return { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } };
    },
  },
});

function inHeader(name: string): Partial<Behaviour> {
  return alsoFrom((call) => headerOf(call, name.toLowerCase()));
}

function inCookie(name: string): Partial<Behaviour> {
  return alsoFrom((call) => cookieOf(call, name));
}

/** A request without a token is admitted. */
export const noTokenFaults: Faults = {
  'second-endpoint-unguarded': {
    breaks: ['BEARER-2', 'BEARER-3', 'BEARER-4', 'EXPIRY-2'],
    ...unguardedWhen(({ path }) => path.endsWith('/reports')),
  },
  'empty-header-no-check': {
    breaks: 'BEARER-2',
    ...unguardedWhen(({ headers }) => headers.authorization === ''),
  },
  'scheme-alone-is-enough': {
    breaks: 'BEARER-2',
    ...unguardedWhen(({ headers }) => headers.authorization?.trim() === 'Bearer'),
  },
};

const schemes: Readonly<Record<string, RegExp>> = {
  'basic-is-fine-too': /^Basic (\S+)$/,
  'token-is-fine-too': /^Token (\S+)$/,
  'jwt-is-fine-too': /^JWT (\S+)$/,
  'no-scheme-needed': /^(\S+)$/,
  'scheme-cut-off-by-length': /^.{7}(.*)$/s,
  'scheme-begins-right': /^Bear\w* (\S+)$/,
  'scheme-with-colon': /^Bearer: (\S+)$/,
  'token-in-scheme-token-in-quotes': /^Token token="(\S+)"$/,
  'token-in-scheme-bearer-without-a-blank': /^Bearer([^\s=:,]+)$/,
};

/** A valid token is admitted under another scheme. */
export const schemeFaults = breaking('BEARER-4', {
  ...family('*', schemes, (pattern) => alsoFrom(inAuthorization(pattern))),
  ...family('token-in-scheme-*', texts('Api-Key', 'OAuth2', 'AccessToken', 'SSWS'), (name) =>
    alsoFrom(inAuthorization(new RegExp(`^${name} (\\S+)$`))),
  ),
  'token-as-basic-password': alsoFrom(({ headers }) => basicOf(headers.authorization)[1]),
  'token-in-basic-before-x-oauth-basic': alsoFrom(({ headers }) => {
    const [user, password] = basicOf(headers.authorization);
    return password === 'x-oauth-basic' ? user : undefined;
  }),
  'token-in-basic-behind-api': alsoFrom(({ headers }) => {
    const [user, password] = basicOf(headers.authorization);
    return user === 'api' ? password : undefined;
  }),
});

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

/** Authorization headers that are made of the account's credentials. */
const headersOfAccount: Readonly<Record<string, (key: string, secret: string) => string>> = {
  'key-is-a-token': (key) => `Bearer ${encodeURI(key)}`,
  'secret-is-a-token': (_key, secret) => `Bearer ${encodeURI(secret)}`,
  'basic-credentials': (key, secret) => `Basic ${base64(`${key}:${secret}`)}`,
  'key-alone-as-basic-credentials': (key) => `Basic ${base64(`${key}:`)}`,
};

/** Where a request has the key and the secret key. */
const pairs: Readonly<Record<string, (call: Call) => readonly (string | null | undefined)[]>> = {
  query: ({ query }) => ['api_key', 'api_secret'].map((name) => query.get(name)),
  cookies: (call) => ['apiKey', 'secretKey'].map((name) => cookieOf(call, name)),
  json: (call) => ['apiKey', 'secretKey'].map((name) => memberOf(call, name)),
  form: ({ body }) =>
    ['client_id', 'client_secret'].map((name) => new URLSearchParams(body).get(name)),
  'client-headers': (call) =>
    ['x-client-id', 'x-client-secret'].map((name) => headerOf(call, name)),
  'unlike-headers': (call) => ['x-api-key', 'x-client-secret'].map((name) => headerOf(call, name)),
  'turned-basic': ({ headers }) => basicOf(headers.authorization).slice(0, 2).reverse(),
  'proxy-authorization': (call) => basicOf(headerOf(call, 'proxy-authorization')),
};

const decodedURI = decodedBy(decodeURI);

/** The account's credentials authorise requests to the endpoints. */
export const credentialPlaceFaults = breaking('BEARER-5', {
  ...family('*', headersOfAccount, (text) =>
    unguardedWhen(
      ({ headers }, { account }) =>
        headers.authorization === text(account.apiKey, account.secretKey),
    ),
  ),
  'key-in-header': unguardedWhen(
    ({ headers }, { account }) => headers['x-api-key'] === encodeURI(account.apiKey),
  ),
  ...family('credentials-in-*', pairs, (pair) =>
    unguardedWhen((call, { account }) => {
      const [key, secret] = pair(call).map((text) => decodedURI(text ?? ''));
      return key === account.apiKey && secret === account.secretKey;
    }),
  ),
});
