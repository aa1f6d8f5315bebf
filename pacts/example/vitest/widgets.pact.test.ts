import { Matchers } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
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
      expect(await widgets(url, '<ACCESS_TOKEN>')).toEqual([{ id: 1, name: 'A widget' }]);
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
    .executeTest(({ url }) => expect(widgets(url, '<ACCESS_TOKEN>')).rejects.toThrow('expired')));
