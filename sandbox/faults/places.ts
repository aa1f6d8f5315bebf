import { alsoFrom, fault, type Mutant, unguardedWhen } from './fault.ts';

const cookie = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** A request without a token in its header is admitted, without any token or because of a value elsewhere. */
export const placeMutants: readonly Mutant[] = [
  fault('second-endpoint-unguarded', 'One endpoint has no guard', () =>
    unguardedWhen(({ path }) => path.endsWith('/reports')),
  ),
  fault('no-header-no-check', 'Without an Authorization header nothing is checked', () =>
    unguardedWhen(({ headers }) => headers.authorization === undefined),
  ),
  fault('empty-header-no-check', 'With an empty Authorization header nothing is checked', () =>
    unguardedWhen(({ headers }) => headers.authorization === ''),
  ),
  fault('scheme-alone-is-enough', 'The scheme alone is enough', () =>
    unguardedWhen(({ headers }) => headers.authorization?.trim() === 'Bearer'),
  ),
  fault(
    'token-in-query-access-token',
    'A token is also taken from the query, as access_token',
    () => alsoFrom(({ query }) => query.get('access_token')),
  ),
  fault('token-in-query-token', 'A token is also taken from the query, as token', () =>
    alsoFrom(({ query }) => query.get('token')),
  ),
  fault('token-in-cookie-access-token', 'A token is also taken from the cookie access_token', () =>
    alsoFrom(({ headers }) => cookie(headers.cookie, 'access_token')),
  ),
  fault('token-in-query-api-token', 'A token is also taken from the query, as api_token', () =>
    alsoFrom(({ query }) => query.get('api_token')),
  ),
  fault(
    'token-in-cookie-access-token-cookie',
    'A token is also taken from the cookie access_token_cookie',
    () => alsoFrom(({ headers }) => cookie(headers.cookie, 'access_token_cookie')),
  ),
  fault('token-in-cookie-session', 'A token is also taken from the cookie session', () =>
    alsoFrom(({ headers }) => cookie(headers.cookie, 'session')),
  ),
  fault('token-in-x-access-token', 'A token is also taken from the header X-Access-Token', () =>
    alsoFrom(({ headers }) => headers['x-access-token']?.toString()),
  ),
  fault('token-in-x-api-key', 'A token is also taken from the header X-Api-Key', () =>
    alsoFrom(({ headers }) => headers['x-api-key']?.toString()),
  ),
  fault(
    'token-in-forwarded-authorization',
    'A token is also taken from the header X-Forwarded-Authorization',
    () => alsoFrom(({ headers }) => headers['x-forwarded-authorization']?.toString().slice(7)),
  ),
  fault(
    'token-in-proxy-authorization',
    'A token is also taken from the header Proxy-Authorization',
    () => alsoFrom(({ headers }) => headers['proxy-authorization']?.slice(7)),
  ),
  fault('token-in-form-body', 'A token is also taken from a form', () =>
    alsoFrom(({ body }) => new URLSearchParams(body).get('access_token')),
  ),
  fault('token-in-json-body', 'A token is also taken from a JSON body', () =>
    alsoFrom(({ body }) => /"token":"([^"]*)"/.exec(body)?.[1]),
  ),
  fault('key-is-a-token', 'The API key is accepted as a token', () =>
    unguardedWhen(
      ({ headers }, { account }) => headers.authorization === `Bearer ${encodeURI(account.apiKey)}`,
    ),
  ),
  fault('secret-is-a-token', 'The secret key is accepted as a token', () =>
    unguardedWhen(
      ({ headers }, { account }) =>
        headers.authorization === `Bearer ${encodeURI(account.secretKey)}`,
    ),
  ),
  fault('basic-credentials', 'Key and secret are accepted as Basic credentials', () =>
    unguardedWhen(({ headers }, { account }) => {
      const basic = Buffer.from(`${account.apiKey}:${account.secretKey}`).toString('base64');
      return headers.authorization === `Basic ${basic}`;
    }),
  ),
  fault(
    'key-alone-as-basic-credentials',
    'The API key is accepted as the user name of Basic credentials without a password',
    () =>
      unguardedWhen(({ headers }, { account }) => {
        const basic = Buffer.from(`${account.apiKey}:`).toString('base64');
        return headers.authorization === `Basic ${basic}`;
      }),
  ),
  fault('key-in-header', 'The API key is accepted in the header X-Api-Key', () =>
    unguardedWhen(({ headers }, { account }) => headers['x-api-key'] === encodeURI(account.apiKey)),
  ),
];
