import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { MatchersV3, PactV4 } from '@pact-foundation/pact';
import { widgets } from './widgets.ts';

const { eachLike, fromProviderState, integer, string } = MatchersV3;

const dir = path.join(import.meta.dirname, 'pacts');
const consumer = 'widget-report';
// Interactions of an older test or another consumer name would remain, and would be published too.
rmSync(dir, { recursive: true, force: true });
const pact = new PactV4({ consumer, provider: 'public-api', dir, logLevel: 'warn' });
// The provider fills in the token of each interaction's state; the pact holds the placeholder.
const authorization = fromProviderState('Bearer ${accessToken}', 'Bearer <ACCESS_TOKEN>');

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

test('an expired token is told as such', () =>
  pact
    .addInteraction()
    .given('a token made {hours} hours ago', { hours: 24 })
    .uponReceiving('a request for the widgets with an expired token')
    .withRequest('GET', '/public-api/v1/widgets', (request) =>
      request.headers({ Authorization: authorization }),
    )
    .willRespondWith(401)
    .executeTest(({ url }) => assert.rejects(widgets(url, '<ACCESS_TOKEN>'), /expired/)));
