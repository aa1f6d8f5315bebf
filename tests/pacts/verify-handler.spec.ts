import { expect, test } from '@playwright/test';
import type { Source } from '../../pacts/verify/verification.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { leaksOf } from '../gate/leaks.ts';
import type { Answer } from './fake-broker.ts';
import { fromState, jsonBody } from './made-up.ts';
import { teamHandler } from './team-handler.ts';
import {
  aged,
  callWithToken,
  endings,
  endingsOf,
  interaction,
  pactOf,
  verifying,
  withoutClock,
  withToken,
} from './verifying.ts';

/** A provider with one more widget, which a provider state has to create. */
const withWidget = (id: string, body: object = { id }): Partial<Behaviour> => ({
  route: (call, state) =>
    call.path === `/public-api/v1/widgets/${id}`
      ? { method: 'GET', path: call.path, reply: { status: 200, json: body } }
      : right.route(call, state),
});

const widget = { name: 'a widget exists', params: { colour: 'red' } };

/** A request for the widget whose id the state handler returns. */
const ofWidget = {
  ...withToken,
  path: '/public-api/v1/widgets/1',
  generators: { ...withToken.generators, path: fromState('/public-api/v1/widgets/${id}') },
};

const call = interaction('a widget', ['a valid token', widget], { request: ofWidget });
const plain = callWithToken();

/** The endings of a pact with a state handler that answers all states like this. */
async function endingsWith(answer: Answer, pact: Source, provider: Partial<Behaviour> = {}) {
  await using handler = await teamHandler(() => answer);
  return await endingsOf(pact, { statesUrl: handler.url, provider });
}

test('parameters are values too, and those of the state handler replace them', async () => {
  const path = fromState('/public-api/v1/widgets/${colour}');
  const request = { ...ofWidget, generators: { ...ofWidget.generators, path } };
  const pact = pactOf(interaction('a widget', ['a valid token', widget], { request }));
  const kept = ['a widget: verified'];
  expect(await endingsWith({ body: '' }, pact, withWidget('red'))).toEqual(kept);
  const blue = { body: { colour: 'blue' } };
  expect(await endingsWith(blue, pact, withWidget('blue'))).toEqual(kept);
});

test('a number of the state handler is sent as it is spelled', async () => {
  for (const id of ['9007199254740993', '1.0'])
    expect(await endingsWith({ body: `{"id":${id}}` }, pactOf(call), withWidget(id))).toEqual([
      'a widget: verified',
    ]);
});

test('a value that no header can hold leaves its interaction unverified, and no other', async () => {
  const headers = { ...withToken.headers, 'X-Widget': ['1'] };
  const header = { ...withToken.generators.header, 'X-Widget': fromState('${id}') };
  const request = { headers, generators: { header } };
  const pact = pactOf(interaction('a header', ['a valid token', widget], { request }), plain);
  expect(await endingsWith({ body: { id: 'two\nlines' } }, pact)).toEqual([
    "a header: unverified, Pact sent no request: Invalid header value: 'Failed to parse header value: [secret]'",
    'a call: verified',
  ]);
});

test('a token of the state handler is used like ours, and is not shown', async () => {
  const accessToken = 'planted-TOKEN-of-the-team-5e1b7a';
  const provider: Partial<Behaviour> = {
    find: (text, state, request) =>
      text === accessToken
        ? { text, madeAt: request.now, memo: new Map() }
        : right.find(text, state, request),
  };
  await using handler = await teamHandler(() => ({ body: { accessToken } }));
  const pact = pactOf(callWithToken('a call', ['a user of the team']));
  expect(await endingsOf(pact, { statesUrl: handler.url, provider })).toEqual(['a call: verified']);
  const refused = await verifying(pact, { statesUrl: handler.url });
  expect(endings(refused)).toEqual(['a call: failed']);
  expect(leaksOf([accessToken])(JSON.stringify(refused.pacts))).toEqual([]);
});

test('a state of ours is set up before the state handler changes the provider', async () => {
  let isClosed = false;
  await using handler = await teamHandler(({ action }) => {
    isClosed = action === 'setup';
    return {};
  });
  const closed = callWithToken('a call', ['it is closed', 'a valid token'], { status: 503 });
  expect(
    await endingsOf(pactOf(closed, plain), {
      statesUrl: handler.url,
      provider: { finish: (reply) => (isClosed ? { status: 503 } : reply) },
    }),
  ).toEqual(['a call: verified', 'a call: verified']);
});

test('a state handler that answers with something else than an object gives no values', async () => {
  const open = callWithToken('a call', ['it is open', 'a valid token']);
  const deep = `{"id":${'['.repeat(9000)}${']'.repeat(9000)}}`;
  for (const body of ['OK', '<html>', '["id"]', 'null', deep])
    expect(await endingsWith({ body }, pactOf(open))).toEqual(['a call: verified']);
  const [ending] = await endingsWith({ body: '<html>' }, pactOf(call));
  expect(ending).toBe('a widget: unverified, no state gave id');
});

test('without a clock the state handler is asked for a token of some hours', async () => {
  const accessToken = 'a-token-that-has-expired';
  await using handler = await teamHandler(() => ({ body: { accessToken } }));
  const expired = callWithToken('an expired token', [aged(24)], { status: 401 });
  expect(await endingsOf(pactOf(expired), { statesUrl: handler.url, aim: withoutClock })).toEqual([
    'an expired token: verified',
  ]);
  expect(handler.changes[0]).toBe('setup a token made some hours ago {"hours":24}');
});

for (const [what, answer, reason] of [
  ['that refuses', () => ({ status: 404, body: 'no secret words' }), 'answers 404'],
  ['that never answers', () => undefined, 'failed: no complete answer in time (1000 ms)'],
] as const)
  test(`a state handler ${what} leaves its interaction unverified, and no other`, async () => {
    await using handler = await teamHandler(answer);
    const run = await verifying(pactOf(call, plain), {
      statesUrl: handler.url,
      provider: withWidget('1'),
      aim: (target) => ({ ...target, connection: { ...target.connection, timeoutMs: 1000 } }),
    });
    expect([run.exit, run.unjudged, ...endings(run)]).toEqual([
      0,
      undefined,
      `a widget: unverified, the state handler ${reason} (setup of "a widget exists", PACT_STATES_URL)`,
      'a call: verified',
    ]);
    expect(handler.changes).toEqual(['setup a widget exists {"colour":"red"}']);
  });

test('a state that was set up is torn down even if a later one cannot be', async () => {
  await using handler = await teamHandler(({ state }) => ({
    status: state === 'two' ? 409 : 200,
    body: {},
  }));
  const run = await verifying(pactOf(interaction('a call', ['one', 'two'])), {
    statesUrl: handler.url,
  });
  expect(endings(run)[0]).toContain('a call: unverified, the state handler answers 409');
  expect(handler.changes).toEqual(['setup one {}', 'setup two {}', 'teardown one {}']);
});

test('a state that is not torn down leaves a success unverified, and hides no failure', async () => {
  await using handler = await teamHandler(({ action }) => ({
    status: action === 'setup' ? 200 : 500,
    body: { id: 1 },
  }));
  const good = await verifying(pactOf(call), { statesUrl: handler.url, provider: withWidget('1') });
  expect([good.exit, ...endings(good)]).toEqual([
    2,
    'a widget: unverified, the state handler answers 500 (teardown of "a widget exists", PACT_STATES_URL)',
  ]);
  const bad = await verifying(pactOf(call), { statesUrl: handler.url, provider: withWidget('2') });
  expect([bad.exit, ...endings(bad)]).toEqual([1, 'a widget: failed']);
});

test('nothing that a state handler returns is shown', async () => {
  const planted = [
    ...['planted-NAME-91c', 'planted "quoted" VALUE', 'q7Wd3XvA9pLz0RtY5mKb2NcJ'],
    ...['83920174', 'planted-sesame'],
  ];
  const [name = '', nested = '', key = '', number = '', password = ''] = planted;
  const owner = { names: [nested], keys: [key.toLowerCase()], password };
  const values = { id: name, owner, key, number: Number(number) };
  await using handler = await teamHandler(() => ({ body: values }));
  const parts = { request: ofWidget, response: { body: jsonBody({ id: 'other', part: 'other' }) } };
  const pact = pactOf(interaction('a widget', ['a valid token', widget], parts));
  const run = await verifying(pact, {
    statesUrl: handler.url,
    aim: withoutClock,
    provider: withWidget(name, {
      id: planted.join(' '),
      part: key.slice(4),
      encoded: [key.toLowerCase(), password].map(btoa).join(' '),
      number: values.number,
    }),
  });
  expect(run.exit).toBe(1);
  const { clean: _, ...shown } = run;
  expect(JSON.stringify(shown.pacts[0]?.interactions[0])).toContain(
    '/public-api/v1/widgets/[secret] ',
  );
  expect(
    leaksOf([...planted, key.toLowerCase(), key.slice(4)])(
      JSON.stringify(shown.pacts.map(({ interactions }) => interactions)),
    ),
  ).toEqual([]);
});

test('a value that is in the pact is shown as it is', async () => {
  await using handler = await teamHandler(() => ({ body: { id: 'widgets', colour: 'scarlet' } }));
  const request = { ...ofWidget, query: { colour: ['scarlet'] } };
  const pact = pactOf(interaction('a scarlet widget', ['a valid token', widget], { request }));
  const run = await verifying(pact, { statesUrl: handler.url });
  expect(run.clean('a scarlet widget')).toBe('a scarlet widget');
  expect(run.pacts[0]?.interactions[0]?.asked).toContain(
    'GET /public-api/v1/widgets/widgets?colour=scarlet',
  );
});

test('a credential that one of our states gives too is not replaced', async () => {
  const pact = pactOf(callWithToken('a call', ['a valid token', 'a user of the team']));
  const theirs = { body: { accessToken: 'another-token-of-theirs' } };
  expect(await endingsWith(theirs, pact)).toEqual([
    'a call: unverified, two of its states give accessToken',
  ]);
});
