import { alsoFrom, type Mutant, unguardedWhen } from './fault.ts';

const cookie = (header: string | undefined, name: string): string | undefined =>
  header
    ?.split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

/** A request without a token in its header is admitted, without any token or because of a value elsewhere. */
export const placeMutants: readonly Mutant[] = [
  {
    name: 'second-endpoint-unguarded',
    means: 'One endpoint has no guard',
    make: () => unguardedWhen(({ path }) => path.endsWith('/reports')),
  },
  {
    name: 'no-header-no-check',
    means: 'Without an Authorization header nothing is checked',
    make: () => unguardedWhen(({ headers }) => headers.authorization === undefined),
  },
  {
    name: 'empty-header-no-check',
    means: 'With an empty Authorization header nothing is checked',
    make: () => unguardedWhen(({ headers }) => headers.authorization === ''),
  },
  {
    name: 'scheme-alone-is-enough',
    means: 'The scheme alone is enough',
    make: () => unguardedWhen(({ headers }) => headers.authorization?.trim() === 'Bearer'),
  },
  {
    name: 'token-in-query-access-token',
    means: 'A token is also taken from the query, as access_token',
    make: () => alsoFrom(({ query }) => query.get('access_token')),
  },
  {
    name: 'token-in-query-token',
    means: 'A token is also taken from the query, as token',
    make: () => alsoFrom(({ query }) => query.get('token')),
  },
  {
    name: 'token-in-cookie-access-token',
    means: 'A token is also taken from the cookie access_token',
    make: () => alsoFrom(({ headers }) => cookie(headers.cookie, 'access_token')),
  },
  {
    name: 'token-in-query-api-token',
    means: 'A token is also taken from the query, as api_token',
    make: () => alsoFrom(({ query }) => query.get('api_token')),
  },
  {
    name: 'token-in-cookie-access-token-cookie',
    means: 'A token is also taken from the cookie access_token_cookie',
    make: () => alsoFrom(({ headers }) => cookie(headers.cookie, 'access_token_cookie')),
  },
  {
    name: 'token-in-cookie-session',
    means: 'A token is also taken from the cookie session',
    make: () => alsoFrom(({ headers }) => cookie(headers.cookie, 'session')),
  },
  {
    name: 'token-in-x-access-token',
    means: 'A token is also taken from the header X-Access-Token',
    make: () => alsoFrom(({ headers }) => headers['x-access-token']?.toString()),
  },
  {
    name: 'token-in-x-api-key',
    means: 'A token is also taken from the header X-Api-Key',
    make: () => alsoFrom(({ headers }) => headers['x-api-key']?.toString()),
  },
  {
    name: 'token-in-forwarded-authorization',
    means: 'A token is also taken from the header X-Forwarded-Authorization',
    make: () =>
      alsoFrom(({ headers }) => headers['x-forwarded-authorization']?.toString().slice(7)),
  },
  {
    name: 'token-in-proxy-authorization',
    means: 'A token is also taken from the header Proxy-Authorization',
    make: () => alsoFrom(({ headers }) => headers['proxy-authorization']?.slice(7)),
  },
  {
    name: 'token-in-form-body',
    means: 'A token is also taken from a form',
    make: () => alsoFrom(({ body }) => new URLSearchParams(body).get('access_token')),
  },
  {
    name: 'token-in-json-body',
    means: 'A token is also taken from a JSON body',
    make: () => alsoFrom(({ body }) => /"token":"([^"]*)"/.exec(body)?.[1]),
  },
  {
    name: 'key-is-a-token',
    means: 'The API key is accepted as a token',
    make: () =>
      unguardedWhen(
        ({ headers }, { account }) =>
          headers.authorization === `Bearer ${encodeURI(account.apiKey)}`,
      ),
  },
  {
    name: 'secret-is-a-token',
    means: 'The secret key is accepted as a token',
    make: () =>
      unguardedWhen(
        ({ headers }, { account }) =>
          headers.authorization === `Bearer ${encodeURI(account.secretKey)}`,
      ),
  },
  {
    name: 'basic-credentials',
    means: 'Key and secret are accepted as Basic credentials',
    make: () =>
      unguardedWhen(({ headers }, { account }) => {
        const basic = Buffer.from(`${account.apiKey}:${account.secretKey}`).toString('base64');
        return headers.authorization === `Basic ${basic}`;
      }),
  },
  {
    name: 'key-alone-as-basic-credentials',
    means: 'The API key is accepted as the user name of Basic credentials without a password',
    make: () =>
      unguardedWhen(({ headers }, { account }) => {
        const basic = Buffer.from(`${account.apiKey}:`).toString('base64');
        return headers.authorization === `Basic ${basic}`;
      }),
  },
  {
    name: 'key-in-header',
    means: 'The API key is accepted in the header X-Api-Key',
    make: () =>
      unguardedWhen(
        ({ headers }, { account }) => headers['x-api-key'] === encodeURI(account.apiKey),
      ),
  },
];
