import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { credentialPlaceMutants } from './credential-places.ts';
import { alsoFrom, fault, type Mutant } from './fault.ts';
import { inHeader, inQuery, taken } from './places.ts';
import {
  basicOf,
  behindScheme,
  cookieOf,
  headerOf,
  inAuthorization,
  isUpgrade,
  memberOf,
  subprotocolBehind,
  subprotocols,
} from './request-parts.ts';

const behindSchemeIn = (name: string): Mutant =>
  taken(
    `${name.toLowerCase().replaceAll('_', '-')}-with-scheme`,
    `the header ${name}, behind Bearer`,
    (call) => behindScheme(headerOf(call, name.toLowerCase())),
  );

const scheme = (name: string, pattern: RegExp): Mutant =>
  taken(`scheme-${name.toLowerCase()}`, `the scheme ${name}`, inAuthorization(pattern));

/** The router ignores a part of the path, from which the guard reads a token. */
const inPath = (name: string, where: string, part: RegExp): Mutant =>
  fault(`token-in-${name}`, `A token is also taken from ${where}`, () => ({
    ...alsoFrom(({ path }) => part.exec(path)?.[1]),
    route: (call, state) => right.route({ ...call, path: call.path.replace(part, '') }, state),
  }));

/** Refuses a header because of its spelling. */
const spelt = (wrong: (name: string) => boolean): Partial<Behaviour> => ({
  presented: (call, state) =>
    call.rawHeaders.some((name, index) => index % 2 === 0 && wrong(name))
      ? 'missing'
      : right.presented(call, state),
});

/** A token, or the credentials for one, are accepted in places that the contract does not have. */
export const tokenPlaceMutants: readonly Mutant[] = [
  ...['X-Goog-IAP-JWT-Assertion', 'Cf-Access-Jwt-Assertion', 'Private-Token'].map(inHeader),
  ...['X-Authorization', 'X-Amz-Security-Token', 'Sessionid'].map(inHeader),
  ...['X-Serverless-Authorization', 'HTTP_AUTHORIZATION', 'Authorisation'].map(behindSchemeIn),
  behindSchemeIn('Token'),
  taken(
    'basic-in-authentication',
    'Basic credentials in the header Authentication',
    (call) => basicOf(headerOf(call, 'authentication'))[0],
  ),
  taken('referer', 'the query of the Referer', (call) =>
    new URLSearchParams(headerOf(call, 'referer')?.split('?')[1]).get('token'),
  ),
  inQuery('jwt'),
  inQuery('key'),
  taken('query-capital-token', 'the query, as Token', ({ query }) => query.get('Token')),
  taken('query-with-scheme', 'the query, as authorization behind Bearer', ({ query }) =>
    behindScheme(query.get('authorization')),
  ),
  taken(
    'query-in-any-case',
    'the query, as accesstoken in any case, unless it is there twice',
    ({ query }) => {
      const found = [...query].filter(([name]) => name.toLowerCase() === 'accesstoken');
      return found.length === 1 ? found[0]?.[1] : undefined;
    },
  ),
  taken('next-auth-cookie', 'the cookie __Secure-next-auth.session-token', (call) =>
    cookieOf(call, '__Secure-next-auth.session-token'),
  ),
  taken('access-cookie', 'the cookie CF_Authorization', (call) =>
    cookieOf(call, 'CF_Authorization'),
  ),
  taken('connect-cookie', 'the cookie connect.sid', (call) => cookieOf(call, 'connect.sid')),
  taken('cookie-with-scheme', 'the cookie Authorization, behind Bearer', (call) =>
    behindScheme(cookieOf(call, 'Authorization')),
  ),
  taken('json-jwt', 'a JSON body, as jwt', (call) => memberOf(call, 'jwt')),
  taken('nested-json', 'a JSON body, as data.accessToken', (call) =>
    memberOf(call, 'data', 'accessToken'),
  ),
  taken('headers-in-json', 'a JSON body, as headers.Authorization', (call) =>
    behindScheme(memberOf(call, 'headers', 'Authorization')),
  ),
  taken('form-with-scheme', 'a form, as token behind Bearer', ({ body }) =>
    behindScheme(new URLSearchParams(body).get('token')),
  ),
  taken(
    'multipart-form',
    'a multipart form, as access_token',
    ({ body }) => /name="access_token"\r\n\r\n(.*)\r\n/.exec(body)?.[1],
  ),
  taken('subprotocol', 'the second subprotocol, behind bearer', (call) =>
    subprotocolBehind(call, 'bearer'),
  ),
  taken('upgraded-subprotocol', 'the second subprotocol of a handshake', (call) =>
    isUpgrade(call) ? subprotocolBehind(call, 'access_token') : undefined,
  ),
  taken('encoded-subprotocol', 'a subprotocol in base64url, as Kubernetes has it', (call) => {
    const start = 'base64url.bearer.authorization.k8s.io.';
    const word = subprotocols(call).find((one) => one.startsWith(start));
    return Buffer.from(word?.slice(start.length) ?? '', 'base64url').toString();
  }),
  taken('upgraded-query', 'the query of a handshake, as access_token', (call) =>
    isUpgrade(call) ? call.query.get('access_token') : undefined,
  ),
  ...['Api-Key', 'OAuth2', 'AccessToken', 'SSWS'].map((name) =>
    scheme(name, new RegExp(`^${name} (\\S+)$`)),
  ),
  scheme('Token-in-quotes', /^Token token="(\S+)"$/),
  scheme('Bearer-without-a-blank', /^Bearer([^\s=:,]+)$/),
  taken(
    'basic-before-x-oauth-basic',
    'the user of Basic credentials whose password is x-oauth-basic',
    ({ headers: { authorization } }) => {
      const [user, password] = basicOf(authorization);
      return password === 'x-oauth-basic' ? user : undefined;
    },
  ),
  taken(
    'basic-behind-api',
    'the password of Basic credentials whose user is api',
    ({ headers: { authorization } }) => {
      const [user, password] = basicOf(authorization);
      return user === 'api' ? password : undefined;
    },
  ),
  inPath('path-parameter', 'the path, as the parameter JSESSIONID', /;.*;JSESSIONID=([^;]+).*/),
  inPath('segment-before', 'the segment before the endpoint', /(?<=\/v1)\/([\w-]{20,})(?=\/)/),
  inPath('segment-behind', 'the segment behind the endpoint', /(?<=\/v1\/\w+)\/([\w-]{20,})$/),
  fault(
    'token-switches-protocols',
    'A handshake with a token among its subprotocols is completed',
    () => ({
      unauthorised(cause, call, state) {
        const known = subprotocols(call).some((word) => state.tokens.has(word));
        if (!isUpgrade(call) || !known) return right.unauthorised(cause, call, state);
        return { status: 101, headers: { Connection: 'Upgrade', Upgrade: 'websocket' } };
      },
    }),
  ),
  ...credentialPlaceMutants,
  fault('small-header-name-refused', 'The name of the header is not known in small letters', () =>
    spelt((name) => name === 'authorization'),
  ),
  fault(
    'capital-header-name-refused',
    'The name of the header is not known in capital letters',
    () => spelt((name) => name === 'AUTHORIZATION'),
  ),
];
