import {
  type Behaviour,
  type Call,
  day,
  right,
  type ServiceState,
} from '../../sandbox/behaviour.ts';
import { fault, issue, type Mutant, unguardedWhen } from './fault.ts';
import { basicOf, behindScheme, cookieOf, decodedBy, headerOf, memberOf } from './request-parts.ts';

/** The key and the secret key authorise requests to the endpoints. */
const opened = (
  name: string,
  where: string,
  pair: (call: Call) => readonly (string | null | undefined)[],
): Mutant =>
  fault(`credentials-in-${name}`, `Key and secret are accepted ${where}`, () =>
    unguardedWhen((call, { account: { apiKey, secretKey } }) => {
      const [key, secret] = pair(call).map((text) => decodedBy(decodeURI)(text ?? ''));
      return key === apiKey && secret === secretKey;
    }),
  );

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

/** A request to the token endpoint gets a token although it has neither key nor secret key. */
const renewing = (
  isRight: (call: Call, state: ServiceState) => boolean,
): Pick<Behaviour, 'denied'> => ({
  denied: (why, call, state) =>
    isRight(call, state)
      ? right.granted(issue(state, call.now), call, state)
      : right.denied(why, call, state),
});

/** The token that a request has after Bearer, if it was issued: with its age in milliseconds. */
const ageOfBearer = ({ headers, now }: Call, { tokens }: ServiceState): number | undefined => {
  const token = tokens.get(behindScheme(headers.authorization) ?? '');
  return token && now - token.madeAt;
};

/** Texts other than the key and the secret key get a token. */
export const renewalByTokenMutants: readonly Mutant[] = [
  fault(
    'valid-token-gets-another',
    'The token endpoint gives a new token for a valid one, without key and secret key',
    () => renewing((call, state) => (ageOfBearer(call, state) ?? day) < day),
  ),
  fault(
    'expired-token-gets-another',
    'The token endpoint gives a new token for an expired one, without key and secret key',
    () => renewing((call, state) => (ageOfBearer(call, state) ?? 0) >= day),
  ),
  fault(
    'refresh-token-gets-a-token',
    'The answer with a token holds a refresh token, for which the token endpoint gives another',
    () => ({
      ...renewing((call, state) => state.memo.has(`refresh ${memberOf(call, 'refresh_token')}`)),
      granted({ text }, call, state) {
        const refreshToken = right.mint(state, call.now);
        state.memo.set(`refresh ${refreshToken}`, 1);
        const data = { accessToken: text, refreshToken };
        return { status: 200, json: { success: true, message: 'OK', data } };
      },
    }),
  ),
];
