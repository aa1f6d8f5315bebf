import type { Call, ServiceState } from '../../sandbox/behaviour.ts';
import { alsoFrom, fault, type Mutant, unguardedWhen } from './fault.ts';
import { basicOf, cookieOf, headerOf, inAuthorization } from './request-parts.ts';

type Part = (call: Call) => string | null | undefined;

const also = (name: string, means: string, part: Part): Mutant =>
  fault(name, means, () => alsoFrom(part));

/** A token is also taken from another part of the request. */
export const taken = (name: string, where: string, part: Part): Mutant =>
  also(`token-in-${name}`, `A token is also taken from ${where}`, part);

const kebab = (name: string): string => name.toLowerCase().replaceAll('_', '-');

export const inHeader = (name: string): Mutant =>
  taken(kebab(name), `the header ${name}`, (call) => headerOf(call, name.toLowerCase()));

export const inQuery = (name: string): Mutant =>
  taken(`query-${kebab(name)}`, `the query, as ${name}`, ({ query }) => query.get(name));

const inCookie = (name: string): Mutant =>
  taken(`cookie-${kebab(name)}`, `the cookie ${name}`, (call) => cookieOf(call, name));

/** The Authorization header has another text than a token. */
const authorisedBy = (text: (account: ServiceState['account']) => string) =>
  unguardedWhen(({ headers }, { account }) => headers.authorization === text(account));

const base64 = (text: string): string => Buffer.from(text).toString('base64');

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
  inQuery('access_token'),
  inQuery('token'),
  inCookie('access_token'),
  inQuery('api_token'),
  inCookie('access_token_cookie'),
  inCookie('session'),
  inHeader('X-Access-Token'),
  inHeader('X-Api-Key'),
  taken('forwarded-authorization', 'the header X-Forwarded-Authorization', (call) =>
    headerOf(call, 'x-forwarded-authorization')?.slice(7),
  ),
  taken('proxy-authorization', 'the header Proxy-Authorization', (call) =>
    headerOf(call, 'proxy-authorization')?.slice(7),
  ),
  taken('form-body', 'a form', ({ body }) => new URLSearchParams(body).get('access_token')),
  taken('json-body', 'a JSON body', ({ body }) => /"token":"([^"]*)"/.exec(body)?.[1]),
  fault('key-is-a-token', 'The API key is accepted as a token', () =>
    authorisedBy(({ apiKey }) => `Bearer ${encodeURI(apiKey)}`),
  ),
  fault('secret-is-a-token', 'The secret key is accepted as a token', () =>
    authorisedBy(({ secretKey }) => `Bearer ${encodeURI(secretKey)}`),
  ),
  fault('basic-credentials', 'Key and secret are accepted as Basic credentials', () =>
    authorisedBy(({ apiKey, secretKey }) => `Basic ${base64(`${apiKey}:${secretKey}`)}`),
  ),
  fault(
    'key-alone-as-basic-credentials',
    'The API key is accepted as the user name of Basic credentials without a password',
    () => authorisedBy(({ apiKey }) => `Basic ${base64(`${apiKey}:`)}`),
  ),
  fault('key-in-header', 'The API key is accepted in the header X-Api-Key', () =>
    unguardedWhen(({ headers }, { account }) => headers['x-api-key'] === encodeURI(account.apiKey)),
  ),
];

/** A valid token is admitted under another scheme. */
export const schemeMutants: readonly Mutant[] = [
  fault('scheme-not-looked-at', 'Any scheme is accepted', () => ({
    presented: ({ headers }) => ({ token: headers.authorization?.split(' ').at(-1) ?? '' }),
  })),
  also('basic-is-fine-too', 'The scheme Basic is accepted', inAuthorization(/^Basic (\S+)$/)),
  also(
    'token-as-basic-password',
    'A token is also taken from the password of Basic credentials',
    ({ headers }) => basicOf(headers.authorization)[1],
  ),
  also('token-is-fine-too', 'The scheme Token is accepted', inAuthorization(/^Token (\S+)$/)),
  also('jwt-is-fine-too', 'The scheme JWT is accepted', inAuthorization(/^JWT (\S+)$/)),
  also('no-scheme-needed', 'The token alone is accepted', inAuthorization(/^(\S+)$/)),
  also(
    'scheme-cut-off-by-length',
    'The first seven characters are cut off, whatever they are',
    ({ headers }) => headers.authorization?.slice(7),
  ),
  also(
    'scheme-begins-right',
    'A scheme that begins with Bear is accepted',
    inAuthorization(/^Bear\w* (\S+)$/),
  ),
  also('scheme-with-colon', 'Bearer: is accepted', inAuthorization(/^Bearer: (\S+)$/)),
];
