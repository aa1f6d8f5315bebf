import { expect, test } from '@playwright/test';
import { plain, terminalText } from '../../contract/report/terminal.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { createReport, pactsJson } from '../../pacts/verify/report.ts';
import { stateHandler } from '../../pacts/verify/state-handler.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { leaksOf } from '../planted.ts';
import { teamHandler } from './fake-server.ts';
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

const token = 'planted-TOKEN-of-the-team-5e1b7a';

const widget = { name: 'a widget exists', params: { colour: 'red' } };
const ofValue = (value: string) => ({
  ...withToken,
  path: '/public-api/v1/widgets/1',
  generators: { ...withToken.generators, path: fromState(`/public-api/v1/widgets/\${${value}}`) },
});

/** Requests for the widget whose id the state handler returns, and for that of the colour in the parameters. */
const byId = interaction('a widget', ['a valid token', widget], { request: ofValue('id') });
const byColour = interaction('a widget', ['a valid token', widget], { request: ofValue('colour') });
const bareName = { request: { ...withToken, generators: { path: fromState('id') } } };
const byBareName = interaction('it', ['a valid token', widget], bareName);
const ofTeam = callWithToken('a call', ['a user of the team']);
const body = (body: unknown) => () => ({ body });

testOutcomes({
  'values of the state handler replace parameters, and their numbers are sent as they are spelled':
    {
      endings: { verified: [byColour, byId] },
      handler: body('{"colour":9007199254740993,"id":9007199254740993}'),
      provider: withWidget('9007199254740993'),
    },
  'a state handler that answers with a page or a list gives no values': {
    endings: {
      'unverified, no state gave id': [byId, byBareName],
      verified: [callWithToken('a call', ['it is open', 'a valid token'])],
    },
    handler: ({ state }) => ({ body: state === 'it is open' ? '["id"]' : '<html>' }),
  },
  'without a clock the state handler is asked for a token of some hours': {
    endings: { verified: [expired] },
    handler: body({ accessToken: 'a-token-that-has-expired' }),
    aim: withoutClock,
    changes: ['setup', 'teardown'].map((of) => `${of} a token made some hours ago {"hours":24}`),
  },
  'a state that was set up is torn down even if a later one cannot be': {
    endings: {
      'unverified, the state handler (PACT_STATES_URL), setup of "two": it answers 409': [
        interaction('a call', ['one', 'two']),
      ],
      'failed, the request has no Authorization…': [interaction('next', ['three'])],
    },
    handler: ({ state }) => ({ status: state === 'two' ? 409 : 200, body: 'no secret words' }),
    changes: ['setup one', 'setup two', 'teardown one', 'setup three', 'teardown three'].map(
      (change) => `${change} {}`,
    ),
  },
});

test('a state that is not torn down is reported beside its interaction', async () => {
  const run = await verifying(pactOf(byId), {
    handler: ({ action }) => ({ status: action === 'setup' ? 200 : 500, body: { id: 1 } }),
    provider: withWidget('1'),
  });
  const remarks = [expect.stringContaining('teardown of "a widget exists": it answers 500')];
  expect(run.results).toMatchObject([{ ending: 'verified', remarks }]);
});

test('a state of ours is set up before the state handler changes the provider', async () => {
  let isClosed = false;
  const closed = callWithToken('a call', ['it is closed', 'a valid token'], { status: 503 });
  const run = await verifying(pactOf(closed, callWithToken()), {
    handler({ action }) {
      isClosed = action === 'setup';
      return {};
    },
    provider: { finish: (reply) => (isClosed ? { status: 503 } : reply) },
  });
  expect(run.endings).toEqual(['verified', 'verified']);
});

test('no report shows what a state handler returns, however the provider repeats it', async () => {
  const [name, nested, key] = ['planted NAME-91c', 'planted "quoted"', 'q7wd3xva9plz0rty5mkb2ncj'];
  const [number, password] = ['83920174', 'planted-sesame'];
  const planted = [name, nested, key, number, password];
  const owner = { names: [nested], keys: [key], password };
  const response = { body: jsonBody({ id: 'other', part: 'other' }) };
  const parts = { request: ofValue('id'), response };
  const run = await verifying(
    pactOf(interaction('a widget', ['a valid token', widget], parts), ofTeam),
    {
      handler: ({ state }) => ({
        body:
          state === 'a widget exists'
            ? { id: name, owner, number: JSON.rawJSON(`${number}.0`) }
            : { accessToken: token },
      }),
      aim: withoutClock,
      provider: withWidget(encodeURIComponent(name), {
        id: planted.join(' '),
        part: key.slice(4),
        encoded: [key, password].map(btoa).join(' '),
        number: Number(number),
      }),
    },
  );
  expect(run.endings).toEqual(['failed', 'failed, the provider refuses what the states gave']);
  expect(run.results[0]?.asked).toContain('/public-api/v1/widgets/[secret] ');
  const report = reported(run);
  for (const text of [pactsJson(report), terminalText(createReport(report), plain())])
    expect(leaksOf([...planted, token, key.slice(4)])(text)).toEqual([]);
});

test("a gateway's headers go to a state handler beside the provider, and to no other", async () => {
  await using team = await teamHandler(() => ({}));
  const headers = [['X-Gateway', new Secret('a-key')]] as const;
  for (const origin of [new URL('/', team.url), new URL('http://127.0.0.1:1')]) {
    const connection = { origin, timeoutMs: 5000, maxBodyBytes: 1, headers };
    await stateHandler(team.url, connection).setUp({ name: 'x', parameters: {} });
    const sent = origin.port === team.url.port ? 'a-key' : undefined;
    expect(team.arrived.at(-1)?.headers['x-gateway']).toBe(sent);
  }
});

test('a value that is in the pact is shown as it is', async () => {
  const request = { ...ofValue('id'), query: { colour: ['scarlet'] } };
  const pact = pactOf(interaction('a widget', ['a valid token', widget], { request }));
  const run = await verifying(pact, { handler: body({ id: 'widgets', colour: 'scarlet' }) });
  expect(run.results[0]?.asked).toContain('GET /public-api/v1/widgets/widgets?colour=scarlet');
});
