import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import {
  callWithToken,
  fromState,
  interaction,
  ofClass,
  pactOf,
  withToken,
} from './pact-builder.ts';
import { testOutcomes, verifying } from './verifying.ts';

/* A 401 that is expected proves something only where a valid token is admitted. */

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

const shut = 'failed, a valid token is refused there too (401), so a 401 proves nothing';
const nothing = (status: number) =>
  `unverified, nothing is there: ${status} with a valid token too`;
const unproved = 'unverified, a 401 proves nothing without the same request with a valid token…';
const ofSeveral = { response: { status: 403, ...ofClass('clientError') } };
/** A request that is refused. */
const refusal = (request: object, ...states: string[]) =>
  interaction('a refusal', states, { request, response: { status: 401 } });
const post = { method: 'POST', path: orders };
const deletion = { ...withToken, method: 'DELETE' };
const withHeader = (Authorization: string) => ({ headers: { Authorization: [Authorization] } });
const order = interaction('an order', ['a valid token'], {
  request: { ...withToken, ...post },
  response: { status: 201 },
});
const openOrder = interaction('an order', [], { request: post, response: { status: 201 } });
/** To the path that the state handler gives. */
const toGiven = { path: '/public-api/v1/x', generators: { path: fromState('${path}') } };

testOutcomes({
  'a 401 fails where a valid token gets a 401 too': {
    endings: {
      [shut]: [
        // The first endpoint admits the token of the state, but the request goes to another path.
        refusal({ ...withToken, path: orders }, 'a token of nobody'),
        interaction('one of several', [], { request: { path: orders }, ...ofSeveral }),
        refusal(toGiven, 'it is forbidden'),
        refusal(post, 'an order exists'),
      ],
      [nothing(405)]: [refusal({ path: gone })],
    },
    handler: () => ({ body: { path: orders } }),
    provider: shutting,
  },
  'a path that is missing with and without a token verifies nothing': {
    endings: {
      [nothing(404)]: [refusal({})],
      verified: [
        callWithToken('a call', ['a valid token'], { status: 404 }),
        interaction('one of several', [], ofSeveral),
        interaction('a POST', [], { request: { method: 'POST' }, ...ofSeveral }),
      ],
    },
    provider: faulty('nothing-there'),
  },
  'a 401 of a POST is proved by another interaction of the run, and of a safe method by a control':
    {
      endings: {
        verified: [
          refusal(post),
          order,
          refusal({ method: 'HEAD' }),
          refusal({ method: 'OPTIONS' }),
        ],
      },
      provider: writable(),
    },
  'a 401 is not proved by an order without a token, or by the state of a token that was not sent': {
    endings: {
      verified: [openOrder],
      [unproved]: [
        refusal({ ...post, ...withHeader('Bearer abc123') }),
        refusal(
          { ...deletion, ...withHeader('Bearer abc123'), generators: {} },
          'a token of nobody',
        ),
        refusal(
          { ...deletion, ...withHeader('Basic <ACCESS_TOKEN>'), generators: {} },
          'a valid token',
        ),
      ],
    },
    provider: {
      ...writable(),
      guard: (call, ...of) => (call.headers.authorization ? right.guard(call, ...of) : undefined),
    },
  },
  'a 401 of a POST is proved with a state of the team, which is torn down': {
    endings: { verified: [refusal(post, 'an order exists')] },
    provider: writable(),
    handler: () => ({}),
    changes: ['setup an order exists {}', 'teardown an order exists {}'],
  },
  'a 401 of a DELETE fails where any token is admitted, and proves no other': {
    endings: {
      failed: [refusal(deletion, 'a token of nobody')],
      [unproved]: [refusal({ method: 'DELETE' })],
    },
    provider: {
      ...writable(),
      guard: ({ headers }) => (headers.authorization ? undefined : 'missing'),
    },
  },
});

test('a valid token is sent only with safe methods, and to endpoints of the settings', async () => {
  const admitted: string[] = [];
  const provider = writable(admitted);
  expect(
    await verifying(pactOf(refusal(deletion, 'a token of nobody')), { provider }),
  ).toMatchObject({
    endings: ['verified'],
    results: [{ remarks: ['proved on GET /public-api/v1/widgets'] }],
  });
  expect(admitted).toEqual(['GET']);
  const bare = pactOf(refusal({ method: 'DELETE' }));
  const open = expect.stringMatching(/^unverified, .* DELETE \/public-api\/v1\/widgets is admit/);
  expect((await verifying(bare, { provider })).endings).toEqual([open]);
  const named = { method: 'DELETE', path: '/public-api/v1/widgets' };
  const aim = (target: Target): Target => ({ ...target, endpoints: [...target.endpoints, named] });
  expect((await verifying(bare, { provider, aim })).endings).toEqual(['verified']);
  expect(admitted).toContain('DELETE');
});
