import type { PactV4 } from '@pact-foundation/pact';
import type { ClauseId } from '../../../contract/clauses.ts';
import { readJson } from '../../../contract/http/answer.ts';
import { bearer, NoTokenError, under } from '../../../contract/http/client.ts';
import { Secret } from '../../../contract/secrets/secret.ts';
import { placeholders, type StateName } from '../../../pacts/states.ts';
import {
  about,
  anyStatus,
  clientOf,
  credentials,
  endpointRequest,
  errorEnvelope,
  expect,
  given,
  successEnvelope,
  test,
  tokenIssued,
  tokenRequest,
} from './mock-provider.ts';

const endpoint = { method: 'GET', path: placeholders.path };

/** The scheme with which a request sends a token, and the provider state that gives it. */
type TokenUse = readonly [scheme: string, state: StateName, hours?: number];

const token = { secret: new Secret(placeholders.accessToken), madeAt: 0 };

/** An interaction that calls an endpoint, with or without a token; the caller adds the response. */
function call(pact: PactV4, description: string, clauses: readonly ClauseId[], shown?: TokenUse) {
  const interaction = pact
    .addInteraction()
    .uponReceiving(description)
    .given('a protected endpoint', { method: endpoint.method })
    .reference(...about(...clauses));
  if (shown === undefined) return interaction.withRequest(...endpointRequest);
  const [scheme, state, hours] = shown;
  return interaction
    .given(state, hours === undefined ? undefined : { hours })
    .withRequest(...endpointRequest, (request) =>
      request.headers({ Authorization: given('accessToken', scheme) }),
    );
}

for (const [description, clause, shown] of [
  ['a call with a token', 'BEARER-1', ['Bearer', 'a valid token']],
  ['a call with a token of 23 hours', 'EXPIRY-1', ['Bearer', 'a token made some hours ago', 23]],
] as const)
  test(`${description} is authorised (${clause})`, async ({ pact }) => {
    tokenIssued(pact);
    await call(pact, description, [clause], shown)
      .willRespondWith(anyStatus(200, [401]))
      .executeTest(async (mock) => {
        const { client, account } = clientOf(mock);
        const answer = await client.call(endpoint, bearer(await client.issue(account)));
        expect(answer.status).not.toBe(401);
      });
  });

for (const [description, clause, shown] of [
  ['a call without a token', 'BEARER-2', undefined],
  ['a call with a token of nobody', 'BEARER-3', ['Bearer', 'a token of nobody']],
  ['a call with a token of 24 hours', 'EXPIRY-2', ['Bearer', 'a token made some hours ago', 24]],
  ['a call with a token under another scheme', 'BEARER-4', ['Basic', 'a valid token']],
] as const)
  test(`${description} is refused (${clause})`, async ({ pact }) => {
    await call(pact, description, [clause, 'ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'], shown)
      .willRespondWith(401, (response) => response.jsonBody(errorEnvelope))
      .executeTest(async (mock) => {
        const options = shown === undefined ? {} : under(shown[0], token);
        const answer = await clientOf(mock).client.call(endpoint, options);
        expect(answer.status).toBe(401);
        expect(readJson(answer)).toEqual({ value: errorEnvelope });
      });
  });

const getsToken = async (mock: { readonly url: string }): Promise<void> => {
  const { client, account } = clientOf(mock);
  expect((await client.issue(account)).secret.length).toBeGreaterThan(0);
};

test('the credentials of an account get a token', async ({ pact }) => {
  await tokenIssued(pact).executeTest(getsToken);
});

test('unknown credentials get no token', async ({ pact }) => {
  await pact
    .addInteraction()
    .uponReceiving('the credentials of nobody')
    .given('credentials of nobody')
    .reference(...about('TOKEN-2'))
    .withRequest(...tokenRequest, (request) => request.jsonBody(credentials))
    .willRespondWith(anyStatus(400))
    .executeTest(async (mock) => {
      const { client, account } = clientOf(mock);
      await expect(client.issue(account)).rejects.toThrow(NoTokenError);
    });
});

test('the same credentials get a new token once the first has expired', async ({ pact }) => {
  await pact
    .addInteraction()
    .uponReceiving('the credentials of an account whose token has expired')
    .given('an account')
    .given('a token made some hours ago', { hours: 24 })
    .reference(...about('EXPIRY-6', 'TOKEN-1'))
    .withRequest(...tokenRequest, (request) => request.jsonBody(credentials))
    .willRespondWith(anyStatus(200), (response) => response.jsonBody(successEnvelope))
    .executeTest(getsToken);
});
