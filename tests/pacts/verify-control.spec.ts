import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { callWithToken, fromState, interaction, pactOf, withToken } from './pact-builder.ts';
import { testOutcomes, verifying } from './verifying.ts';

/* A 401 that is expected proves something only where a valid token is admitted. */

const refused = { response: { status: 401 } };
const orders = '/public-api/v1/orders';
const gone = '/public-api/v1/gone';

/** A correct provider with two more paths: one refuses all requests, the other answers 405 to a valid token. */
const shutting: Partial<Behaviour> = {
  route: (call, state) =>
    call.path === orders || call.path === gone
      ? { method: call.method, path: call.path, reply: { status: 401 } }
      : right.route(call, state),
  authorised: (resource, call, state) =>
    call.path === gone ? { status: 405 } : right.authorised(resource, call, state),
};

/** Deletes widgets and takes orders, and keeps the methods that were sent with a valid token. */
const writable = (admitted: string[] = []): Partial<Behaviour> => ({
  route: ({ method, ...request }, state) =>
    request.path === orders
      ? { method, path: request.path, reply: { status: 201 } }
      : right.route({ ...request, method: 'GET' }, state),
  used: (_token, { method }) => void admitted.push(method),
});

const toOrders = { ...withToken, path: orders };
const shut = 'failed, a valid token is refused there too (401), so a 401 proves nothing';
const nothing = (status: number) =>
  `unverified, nothing is there: ${status} with a valid token too`;
const clientError = { $: { matchers: [{ match: 'statusCode', status: 'clientError' }] } };
const bareCall = interaction('a call without a token', [], refused);
const post = { request: { method: 'POST', path: orders }, ...refused };
const order = interaction('an order', ['a valid token'], {
  request: { ...toOrders, method: 'POST' },
  response: { status: 201 },
});
const orderOfTeam = interaction('a refused order', ['an order exists'], post);
const deletion = { request: { ...withToken, method: 'DELETE' }, ...refused };
const ofSeveral = { status: 403, matchingRules: { status: clientError } };
/** To the path that the state handler gives. */
const toGiven = { path: '/public-api/v1/x', generators: { path: fromState('${path}') } };

testOutcomes({
  'a 401 fails where a valid token gets a 401 too': {
    endings: {
      [shut]: [
        // The first endpoint admits the token of the state, but the request goes to another path.
        interaction('a GET', ['a token of nobody'], { request: toOrders, ...refused }),
        interaction('one of several', [], { request: { path: orders }, response: ofSeveral }),
        interaction('a given path', ['it is forbidden'], { request: toGiven, ...refused }),
        orderOfTeam,
      ],
      [nothing(405)]: [interaction('a path', [], { request: { path: gone }, ...refused })],
    },
    handler: () => ({ body: { path: orders } }),
    provider: shutting,
    exit: 1,
  },
  'a path that is missing with and without a token verifies nothing': {
    endings: {
      [nothing(404)]: [bareCall],
      verified: [callWithToken('a call', ['a valid token'], { status: 404 })],
    },
    provider: faulty('nothing-there'),
    exit: 0,
  },
  'a 401 of a POST is proved by another interaction of the run': {
    endings: { verified: [interaction('a refused order', [], post), order] },
    provider: writable(),
    exit: 0,
  },
  'a 401 of a POST is proved with a state of the team, which is torn down': {
    endings: { verified: [orderOfTeam] },
    provider: writable(),
    handler: () => ({}),
    changes: ['setup an order exists {}', 'teardown an order exists {}'],
    exit: 0,
  },
  'a 401 of a DELETE fails where no token is needed': {
    endings: { failed: [interaction('a deletion', ['a token of nobody'], deletion)] },
    provider: { ...writable(), guard: () => undefined },
    exit: 1,
  },
});

test('a valid token is sent only with safe methods, and to endpoints of the settings', async () => {
  const admitted: string[] = [];
  const provider = writable(admitted);
  const pact = pactOf(interaction('a call', ['a token of nobody'], deletion));
  expect(await verifying(pact, { provider })).toMatchObject({
    endings: ['verified'],
    results: [{ remarks: ['proved on GET /public-api/v1/widgets'] }],
  });
  expect(admitted).toEqual(['GET']);
  const bare = pactOf(interaction('a call', [], { request: { method: 'DELETE' }, ...refused }));
  const open = /^unverified, a 401 proves nothing .* DELETE \/public-api\/v1\/widgets is/;
  expect((await verifying(bare, { provider })).endings).toEqual([expect.stringMatching(open)]);
  const named = { method: 'DELETE', path: '/public-api/v1/widgets' };
  const aim = (target: Target): Target => ({ ...target, endpoints: [...target.endpoints, named] });
  expect((await verifying(bare, { provider, aim })).endings).toEqual(['verified']);
  expect(admitted).toContain('DELETE');
});
