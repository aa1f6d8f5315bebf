import { NoToken } from '../../../contract/http/client.ts';
import {
  about,
  anyStatus,
  credentials,
  successEnvelope,
  tokenIssued,
  tokenRequest,
} from './expectation.ts';
import { clientOf, expect, test } from './monitor.ts';

test('the credentials of an account get a token', async ({ pact }) => {
  await tokenIssued(pact).executeTest(async (mock) => {
    const { client, account } = clientOf(mock);
    expect((await client.issue(account)).secret.length).toBeGreaterThan(0);
  });
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
      await expect(client.issue(account)).rejects.toThrow(NoToken);
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
    .executeTest(async (mock) => {
      const { client, account } = clientOf(mock);
      expect((await client.issue(account)).secret.length).toBeGreaterThan(0);
    });
});
