import type { PactV4 } from '@pact-foundation/pact';
import type { ClauseId } from '../../../contract/clauses.ts';
import { jsonOf } from '../../../contract/http/answer.ts';
import { bearer, under } from '../../../contract/http/client.ts';
import { Secret } from '../../../contract/secrets/secret.ts';
import { placeholders, type StateName } from '../../../pacts/states.ts';
import {
  about,
  anyStatus,
  endpointRequest,
  errorEnvelope,
  given,
  tokenIssued,
} from './expectation.ts';
import { clientOf, expect, test } from './monitor.ts';

const endpoint = { method: 'GET', path: placeholders.path };

/** The provider state of a token, and the scheme with which a request sends it. */
interface TokenUse {
  readonly state: StateName;
  readonly hours?: number;
  readonly scheme: string;
}

const token = { secret: new Secret(placeholders.accessToken), madeAt: 0 };

/** An interaction that calls an endpoint, with or without a token; the caller adds the response. */
function call(pact: PactV4, description: string, clauses: readonly ClauseId[], shown?: TokenUse) {
  const interaction = pact
    .addInteraction()
    .uponReceiving(description)
    .given('a protected endpoint', { method: endpoint.method })
    .reference(...about(...clauses));
  if (shown === undefined) return interaction.withRequest(...endpointRequest);
  const { state, hours, scheme } = shown;
  return interaction
    .given(state, hours === undefined ? undefined : { hours })
    .withRequest(...endpointRequest, (request) =>
      request.headers({ Authorization: given('accessToken', scheme) }),
    );
}

for (const [description, clause, shown] of [
  ['a call with a token', 'BEARER-1', { state: 'a valid token', scheme: 'Bearer' }],
  [
    'a call with a token of 23 hours',
    'EXPIRY-1',
    { state: 'a token made some hours ago', hours: 23, scheme: 'Bearer' },
  ],
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
  ['a call with a token of nobody', 'BEARER-3', { state: 'a token of nobody', scheme: 'Bearer' }],
  [
    'a call with a token of 24 hours',
    'EXPIRY-2',
    { state: 'a token made some hours ago', hours: 24, scheme: 'Bearer' },
  ],
  [
    'a call with a token under another scheme',
    'BEARER-4',
    { state: 'a valid token', scheme: 'Basic' },
  ],
] as const)
  test(`${description} is refused (${clause})`, async ({ pact }) => {
    await call(pact, description, [clause, 'ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'], shown)
      .willRespondWith(401, (response) => response.jsonBody(errorEnvelope))
      .executeTest(async (mock) => {
        const options = shown === undefined ? {} : under(shown.scheme, token);
        const answer = await clientOf(mock).client.call(endpoint, options);
        expect(answer.status).toBe(401);
        expect(jsonOf(answer)).toEqual({ is: 'json', value: errorEnvelope });
      });
  });
