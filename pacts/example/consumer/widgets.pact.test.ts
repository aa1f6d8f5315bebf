import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Matchers } from '@pact-foundation/pact';
import { authorization, pact } from './pact.ts';
import { widgets } from './widgets.ts';

const { eachLike, integer, string } = Matchers;

test('a valid token gets the widgets', () =>
  pact
    .addInteraction()
    .given('a valid token')
    .uponReceiving('a request for the widgets')
    .withRequest('GET', '/public-api/v1/widgets', (request) =>
      request.headers({ Authorization: authorization }),
    )
    .willRespondWith(200, (response) =>
      response.jsonBody({ widgets: eachLike({ id: integer(1), name: string('A widget') }) }),
    )
    .executeTest(async ({ url }) => {
      assert.deepEqual(await widgets(url, '<ACCESS_TOKEN>'), [{ id: 1, name: 'A widget' }]);
    }));

test('an expired token is reported as such', () =>
  pact
    .addInteraction()
    .given('a token made some hours ago', { hours: 24 })
    .uponReceiving('a request for the widgets with an expired token')
    .withRequest('GET', '/public-api/v1/widgets', (request) =>
      request.headers({ Authorization: authorization }),
    )
    .willRespondWith(401)
    .executeTest(({ url }) => assert.rejects(widgets(url, '<ACCESS_TOKEN>'), /expired/)));
