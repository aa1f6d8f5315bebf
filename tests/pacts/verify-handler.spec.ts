import { expect, test } from '@playwright/test';
import { plain, terminalText } from '../../contract/report/terminal.ts';
import { reportOf } from '../../pacts/verify/report/forms.ts';
import { pactsJson } from '../../pacts/verify/report/report.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { leaksOf } from '../planted.ts';
import {
  callWithToken,
  expired,
  fromState,
  interaction,
  jsonBody,
  pactOf,
  withToken,
} from './pact-builder.ts';
import { reported, testOutcomes, verifying, withoutClock } from './verifying.ts';

/** A provider with one more widget, which a provider state has to create. */
const withWidget = (id: string, body: object = { id }): Partial<Behaviour> => ({
  route: (call, state) =>
    call.path === `/public-api/v1/widgets/${id}`
      ? { method: 'GET', path: call.path, reply: { status: 200, json: body } }
      : right.route(call, state),
});

/** A provider with one more token. */
const admitting = (token: string): Partial<Behaviour> => ({
  find: (text, state, request) =>
    text === token
      ? { text, madeAt: request.now, memo: new Map() }
      : right.find(text, state, request),
});

const widget = { name: 'a widget exists', params: { colour: 'red' } };
const ofValue = (value: string) => ({
  ...withToken,
  path: '/public-api/v1/widgets/1',
  generators: { ...withToken.generators, path: fromState(`/public-api/v1/widgets/\${${value}}`) },
});

/** Requests for the widget whose id the state handler returns, and for that of the colour in the parameters. */
const byId = interaction('a widget', ['a valid token', widget], { request: ofValue('id') });
const byColour = interaction('a widget', ['a valid token', widget], { request: ofValue('colour') });
const inHeader = interaction('a header', ['a valid token', widget], {
  request: {
    headers: { ...withToken.headers, 'X-Widget': ['1'] },
    generators: { header: { ...withToken.generators.header, 'X-Widget': fromState('${id}') } },
  },
});
const plainCall = callWithToken();
const body = (body: unknown) => () => ({ body });
const expiredState = 'a token made some hours ago {"hours":24}';
const about = (action: string) => `(${action} of "a widget exists", PACT_STATES_URL)`;

testOutcomes({
  'parameters are values too': {
    rows: [[byColour, 'verified']],
    handler: body(''),
    provider: withWidget('red'),
    exit: 0,
  },
  'values of the state handler replace parameters, and their numbers are sent as they are spelled':
    {
      rows: [
        [byColour, 'verified'],
        [byId, 'verified'],
      ],
      handler: body('{"colour":9007199254740993,"id":9007199254740993}'),
      provider: withWidget('9007199254740993'),
      exit: 0,
    },
  'a value that no header can hold leaves its interaction unverified, and no other': {
    rows: [
      [
        inHeader,
        "unverified, Pact sent no request: Invalid header value: 'Failed to parse header value: [secret]'",
      ],
      [plainCall, 'verified'],
    ],
    handler: body({ id: 'two\nlines' }),
    exit: 0,
  },
  'a state handler that answers with a page or a list gives no values': {
    rows: [
      [byId, 'unverified, no state gave id'],
      [callWithToken('a call', ['it is open', 'a valid token']), 'verified'],
    ],
    handler: ({ state }) => ({ body: state === 'it is open' ? '["id"]' : '<html>' }),
    exit: 0,
  },
  'without a clock the state handler is asked for a token of some hours': {
    rows: [[expired, 'verified']],
    handler: body({ accessToken: 'a-token-that-has-expired' }),
    aim: withoutClock,
    changes: ['setup', 'teardown'].map((action) => `${action} ${expiredState}`),
    exit: 0,
  },
  'a state handler that refuses leaves its interaction unverified, and no other': {
    rows: [
      [byId, `unverified, the state handler answers 404 ${about('setup')}`],
      [plainCall, 'verified'],
    ],
    handler: () => ({ status: 404, body: 'no secret words' }),
    changes: ['setup a widget exists {"colour":"red"}'],
    exit: 0,
  },
  'a state handler that never answers leaves its interaction unverified, and no other': {
    rows: [
      [
        byId,
        `unverified, the state handler failed: no complete answer in time (1000 ms) ${about('setup')}`,
      ],
      [plainCall, 'verified'],
    ],
    handler: () => undefined,
    aim: (target) => ({ ...target, connection: { ...target.connection, timeoutMs: 1000 } }),
    exit: 0,
  },
  'a state that was set up is torn down even if a later one cannot be': {
    rows: [
      [interaction('a call', ['one', 'two']), 'unverified, the state handler answers 409…'],
      [interaction('next', ['three']), 'failed'],
    ],
    handler: ({ state }) => ({ status: state === 'two' ? 409 : 200, body: {} }),
    changes: [
      'setup one {}',
      'setup two {}',
      'teardown one {}',
      'setup three {}',
      'teardown three {}',
    ],
    exit: 1,
  },
  'a state that is not torn down leaves a success unverified, and hides no failure': {
    rows: [
      [byId, `unverified, the state handler answers 500 ${about('teardown')}`],
      [{ ...byId, description: 'failing', response: { status: 204 } }, 'failed'],
    ],
    handler: ({ action }) => ({ status: action === 'setup' ? 200 : 500, body: { id: 1 } }),
    provider: withWidget('1'),
    exit: 1,
  },
  'a token of the state handler is used like ours, and replaces none of ours': {
    rows: [
      [callWithToken('a call', ['a user of the team']), 'verified'],
      [
        callWithToken('another', ['a valid token', 'a user of the team']),
        'unverified, two of its states give accessToken',
      ],
    ],
    handler: body({ accessToken: 'token-of-the-team' }),
    provider: admitting('token-of-the-team'),
    exit: 0,
  },
});

test('a state of ours is set up before the state handler changes the provider', async () => {
  let isClosed = false;
  const closed = callWithToken('a call', ['it is closed', 'a valid token'], { status: 503 });
  const run = await verifying(pactOf(closed, plainCall), {
    handler({ action }) {
      isClosed = action === 'setup';
      return {};
    },
    provider: { finish: (reply) => (isClosed ? { status: 503 } : reply) },
  });
  expect(run.endings).toEqual(['verified', 'verified']);
});

test('no report shows what a state handler returns, however the provider repeats it', async () => {
  const planted = [
    ...['planted-NAME-91c', 'planted "quoted" VALUE', 'q7Wd3XvA9pLz0RtY5mKb2NcJ'],
    ...['83920174', 'planted-sesame', 'planted-TOKEN-of-the-team-5e1b7a'],
  ];
  const [name = '', nested, key = '', number, password = '', user] = planted;
  const owner = { names: [nested], keys: [key.toLowerCase()], password };
  const response = { body: jsonBody({ id: 'other', part: 'other' }) };
  const parts = { request: ofValue('id'), response };
  const pact = pactOf(
    interaction('a widget', ['a valid token', widget], parts),
    callWithToken('a call', ['a user of the team']),
  );
  const run = await verifying(pact, {
    handler: ({ state }) => ({
      body:
        state === 'a widget exists'
          ? { id: name, owner, key, number: Number(number) }
          : { accessToken: user },
    }),
    aim: withoutClock,
    provider: withWidget(name, {
      id: planted.join(' '),
      part: key.slice(4),
      encoded: [key.toLowerCase(), password].map(btoa).join(' '),
      number: Number(number),
    }),
  });
  expect(run.endings).toEqual(['failed', 'failed']);
  expect(run.results[0]?.asked).toContain('/public-api/v1/widgets/[secret] ');
  const leaks = leaksOf([...planted, key.toLowerCase(), key.slice(4)]);
  const report = reported(run);
  for (const text of [pactsJson(report), terminalText(reportOf(report), plain())])
    expect(leaks(text)).toEqual([]);
});

test('a value that is in the pact is shown as it is', async () => {
  const request = { ...ofValue('id'), query: { colour: ['scarlet'] } };
  const pact = pactOf(interaction('a scarlet widget', ['a valid token', widget], { request }));
  const run = await verifying(pact, { handler: body({ id: 'widgets', colour: 'scarlet' }) });
  expect(run.clean('a scarlet widget')).toBe('a scarlet widget');
  expect(run.results[0]?.asked).toContain('GET /public-api/v1/widgets/widgets?colour=scarlet');
});
