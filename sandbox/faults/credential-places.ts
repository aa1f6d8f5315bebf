import type { Call } from '../behaviour.ts';
import { type Mutant, unguardedWhen } from './fault.ts';
import { basicOf, cookieOf, headerOf, memberOf } from './request-parts.ts';

/** The key and the secret key authorise requests to the endpoints. */
const opened = (
  name: string,
  where: string,
  pair: (call: Call) => readonly (string | null | undefined)[],
): Mutant => ({
  name: `credentials-in-${name}`,
  means: `Key and secret are accepted ${where}`,
  make: (right) =>
    unguardedWhen(right, (call, { account: { apiKey, secretKey } }) => {
      const [key, secret] = pair(call).map((text) => uriDecoded(text ?? ''));
      return key === apiKey && secret === secretKey;
    }),
});

/** Places in which key and secret key authorise requests to the endpoints. */
export const credentialPlaceMutants: readonly Mutant[] = [
  opened('query', 'in the query', ({ query }) => [query.get('api_key'), query.get('api_secret')]),
  opened('cookies', 'in cookies', (call) => [
    cookieOf(call, 'apiKey'),
    cookieOf(call, 'secretKey'),
  ]),
  opened('json', 'in a JSON body', (call) => [
    memberOf(call, 'apiKey'),
    memberOf(call, 'secretKey'),
  ]),
  opened('form', 'in a form', ({ body }) => {
    const form = new URLSearchParams(body);
    return [form.get('client_id'), form.get('client_secret')];
  }),
  opened('client-headers', 'in the headers X-Client-Id and X-Client-Secret', (call) => [
    headerOf(call, 'x-client-id'),
    headerOf(call, 'x-client-secret'),
  ]),
  opened('unlike-headers', 'in the headers X-Api-Key and X-Client-Secret', (call) => [
    headerOf(call, 'x-api-key'),
    headerOf(call, 'x-client-secret'),
  ]),
  opened(
    'turned-basic',
    'as Basic credentials, the secret key first',
    ({ headers: { authorization } }) => [...basicOf(authorization)].slice(0, 2).reverse(),
  ),
  opened('proxy-authorization', 'as Basic credentials for a proxy', (call) =>
    basicOf(headerOf(call, 'proxy-authorization')),
  ),
];

function uriDecoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
