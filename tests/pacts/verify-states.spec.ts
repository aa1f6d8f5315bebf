import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { teamHandler } from './team-handler.ts';
import {
  aged,
  callWithToken,
  endings,
  endingsOf,
  forToken,
  interaction,
  pactOf,
  verifying,
  withToken,
} from './verifying.ts';

const hour = 3_600_000;
const refused = { response: { status: 401 } };
const call = (...states: Parameters<typeof interaction>[1]) =>
  pactOf(callWithToken('a call', states));
const refusal = (...states: Parameters<typeof interaction>[1]) =>
  pactOf(callWithToken('a call', states, { status: 401 }));

test('a token of a given age was admitted when it was issued, and is used at that exact age', async () => {
  const ages: number[] = [];
  const guard: Behaviour['guard'] = (request, state, self) => {
    const presented = right.presented(request, state);
    const token = typeof presented === 'string' ? undefined : state.tokens.get(presented.token);
    if (token !== undefined) ages.push(request.now - token.madeAt);
    return right.guard(request, state, self);
  };
  const provider = { guard };
  expect(await endingsOf(call(aged(23.5)), { provider })).toEqual(['a call: verified']);
  expect(ages.splice(0)).toEqual([0, 23.5 * hour]);
  expect(await endingsOf(refusal(aged(24)), { provider })).toEqual(['a call: verified']);
  // The last use is the control: a new token, which this endpoint admits.
  expect(ages).toEqual([0, 24 * hour, 0]);
});

test('the age of a token may be a text, and nothing else that is no number', async () => {
  const withHours = (hours: unknown) =>
    endingsOf(call({ name: 'a token made some hours ago', params: { hours } }));
  expect(await withHours('23')).toEqual(['a call: verified']);
  for (const hours of ['', 'some', null])
    expect((await withHours(hours))[0]).toContain('a call: unverified, the parameter hours of');
});

const justMade = 'a token that was just made is refused by GET /public-api/v1/widgets (401)';

for (const [what, fault, states, reason] of [
  ['a token that is refused when it is new', 'refuses-everything', ['a valid token'], justMade],
  ['a new token that is refused, and shall become old', 'refuses-everything', [aged(24)], justMade],
  [
    'credentials that get no token',
    'token-endpoint-fails',
    ['a valid token'],
    'no state can be made: the answer to valid credentials was 500 without a token',
  ],
] as const)
  test(`${what} makes the interaction fail without a request, with the reason`, async () => {
    const { exit, pacts } = await verifying(refusal(...states), { provider: faulty(fault) });
    expect(pacts[0]?.interactions[0]).toMatchObject({ ending: 'failed', reason, mismatches: [] });
    expect(exit).toBe(1);
  });

test('unknown credentials that get a token fail their interaction', async () => {
  const answered = ['unknown: failed, credentials of nobody were answered by 200 with a token'];
  const parts = { request: forToken, response: { status: 400 } };
  const unknownCredentials = pactOf(interaction('unknown', ['credentials of nobody'], parts));
  expect(await endingsOf(unknownCredentials)).toEqual(['unknown: verified']);
  // This interaction sends no credentials, so only the provider state can find the fault.
  const elsewhere = pactOf(interaction('unknown', ['credentials of nobody'], refused));
  expect(await endingsOf(elsewhere, { provider: { valid: () => true } })).toEqual(answered);
  let asked = 0;
  const valid: typeof right.valid = (...of) => right.valid(...of) || ++asked === 2;
  expect(await endingsOf(unknownCredentials, { provider: { valid } })).toEqual(answered);
});

test('an unknown token resembles a real one, which is admitted', async () => {
  const pact = refusal('a token of nobody');
  expect(await endingsOf(pact)).toEqual(['a call: verified']);
  const provider = faulty('token-by-its-form');
  expect(await endingsOf(pact, { provider })).toEqual(['a call: failed']);
});

test('a 401 proves nothing where a valid token gets a 401 too', async () => {
  // The first endpoint admits the token of the state, but the request goes to the second endpoint.
  const other = { ...withToken, path: '/public-api/v1/other' };
  const pact = pactOf(interaction('a call', ['a token of nobody'], { request: other, ...refused }));
  const provider: Partial<Behaviour> = {
    route: (request, state) =>
      right.route(request, state) ?? { method: 'GET', path: request.path, reply: { status: 401 } },
  };
  expect(await endingsOf(pact, { provider })).toEqual([
    'a call: failed, a valid token is refused there too (401), so a 401 proves nothing',
  ]);
});

const deletion = { ...withToken, method: 'DELETE' };
const added = {
  ...withToken,
  method: 'POST',
  path: '/public-api/v1/orders',
};

/** Deletes widgets and takes orders, and keeps the methods that were sent with a valid token. */
const writable = (admitted: string[]): Partial<Behaviour> => ({
  route: ({ method, ...request }, state) => {
    const reply = { status: 201 };
    return request.path === added.path
      ? { method, path: request.path, reply }
      : right.route({ ...request, method: 'GET' }, state);
  },
  used: (_token, { method }) => void admitted.push(method),
});

test('a valid token is sent only with safe methods, and to endpoints of the settings', async () => {
  const admitted: string[] = [];
  const provider = writable(admitted);
  const parts = { request: deletion, ...refused };
  const pact = pactOf(interaction('a call', ['a token of nobody'], parts));
  const run = await verifying(pact, { provider });
  expect([admitted, ...endings(run)]).toEqual([['GET'], 'a call: verified']);
  expect(run.pacts[0]?.interactions[0]?.remarks).toEqual(['proved on GET /public-api/v1/widgets']);
  const bare = pactOf(interaction('a call', [], { request: { method: 'DELETE' }, ...refused }));
  const [ending] = await endingsOf(bare, { provider });
  expect(ending).toContain('a call: unverified, a 401 proves nothing without the same request');
  expect(ending).toContain('DELETE /public-api/v1/widgets is admitted');
  const named = { method: 'DELETE', path: '/public-api/v1/widgets' };
  const aim = (target: Target): Target => ({
    ...target,
    endpoints: [...target.endpoints, named],
  });
  expect(await endingsOf(bare, { provider, aim })).toEqual(['a call: verified']);
  expect(admitted).toContain('DELETE');
  const open = { ...provider, guard: () => undefined };
  expect(await endingsOf(pact, { provider: open })).toEqual(['a call: failed']);
});

test('a 401 of any method is proved by another interaction of the run, or with a state of the team', async () => {
  const admitted: string[] = [];
  const provider = writable(admitted);
  const bare = { request: { method: 'POST', path: added.path }, ...refused };
  const refusedOrder = pactOf(interaction('a refused order', [], bare));
  const order = interaction('an order', ['a valid token'], {
    request: added,
    response: { status: 201 },
  });
  expect(await endingsOf([refusedOrder, pactOf(order)], { provider })).toEqual([
    'a refused order: verified',
    'an order: verified',
  ]);
  await using handler = await teamHandler(() => ({}));
  admitted.length = 0;
  const own = pactOf(interaction('a refused order', ['an order exists'], bare));
  expect(await endingsOf(own, { provider, statesUrl: handler.url })).toEqual([
    'a refused order: verified',
  ]);
  expect([admitted, handler.changes.map((change) => change.split(' ')[0])]).toEqual([
    ['POST'],
    ['setup', 'teardown'],
  ]);
  const shut: Partial<Behaviour> = {
    route: (call, state) =>
      call.path === added.path
        ? { method: 'POST', path: call.path, reply: { status: 401 } }
        : right.route(call, state),
  };
  const [ending] = await endingsOf(own, { provider: shut, statesUrl: handler.url });
  expect(ending).toContain('a refused order: failed, a valid token is refused there too');
});

for (const status of [404, 405])
  test(`a control that gets ${status} proves nothing`, async () => {
    const missing: Partial<Behaviour> = {
      finish: (reply, { path }) =>
        path === added.path && reply.status !== 401 ? { status } : reply,
      ...writable([]),
    };
    const parts = { request: { path: added.path }, ...refused };
    expect(
      await endingsOf(pactOf(interaction('a call', [], parts)), { provider: missing }),
    ).toEqual([`a call: unverified, nothing is there: ${status} with a valid token too`]);
  });

test("a control without a token is the provider's failure", async () => {
  let tokens = 0;
  const granted: typeof right.granted = (...of) =>
    ++tokens > 1 ? { status: 500 } : right.granted(...of);
  const run = await verifying(pactOf(interaction('a call', [], refused)), {
    provider: { granted },
  });
  expect([run.exit, run.defect, ...endings(run)]).toEqual([
    1,
    undefined,
    'a call: failed, no state can be made: the answer to valid credentials was 500 without a token',
  ]);
});

test('a path that is missing with and without a token verifies nothing', async () => {
  const call = interaction('a call without a token', [], refused);
  const pact = pactOf(call, callWithToken('a call', ['a valid token'], { status: 404 }));
  const run = await verifying(pact, { provider: faulty('nothing-there') });
  expect([run.exit, ...endings(run)]).toEqual([
    0,
    'a call without a token: unverified, nothing is there: 404 with a valid token too',
    'a call: verified',
  ]);
  const provider = faulty('hidden-behind-not-found');
  expect(await endingsOf(pactOf(call), { provider })).toEqual(['a call without a token: failed']);
});
