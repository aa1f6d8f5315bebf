import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { faulty } from '../faults/index.ts';
import { expect, naming, namingWithoutClock } from '../gate/process.ts';
import { ours } from '../process.ts';
import { serve as serveAnswers } from './fake-broker.ts';
import { standardVerifier } from './standard-verifier.ts';
import { addressOf, allEndpoints, test } from './states-process.ts';
import { teamHandler } from './team-handler.ts';

const files = [
  ours('pacts/public-api-monitor-public-api.json'),
  ours('pacts/sandbox/widget-report-public-api.json'),
];

const json = { 'Content-Type': 'application/json' };
const setUp = (url: string, state: string, params: object = {}): Promise<Response> =>
  change(url, { state, params, action: 'setup' });
const change = (url: string, body: object, headers: Record<string, string> = json) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

test("Pact's own verifier verifies our pacts in our states", async ({ folder, serve, states }) => {
  const sandbox = await serve();
  await using server = states({ ...naming(sandbox), ...allEndpoints });
  const statesUrl = await addressOf(server);
  const run = await standardVerifier({ folder, files, provider: sandbox.baseUrl, statesUrl });
  expect(run.exit, run.output).toBe(0);
  expect(run.results).toHaveLength(11);
  server.child.kill('SIGINT');
  const { exit, stdout, stderr } = await server.ended;
  expect([exit, stderr]).toEqual([130, 'interrupted\n']);
  // The command has released the clock, so the sandbox shows real time again.
  expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(60_000);
  const secrets = [...sandbox.state.tokens.keys(), ...Object.values(sandbox.state.account)];
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
});

test('a state that proves nothing is refused for every verifier', async ({ serve, states }) => {
  await using server = states(naming(await serve(faulty('refuses-everything'))));
  const response = await setUp(await addressOf(server), 'a valid token');
  expect([response.status, await response.json()]).toEqual([
    422,
    { error: 'a token that was just made is refused by GET /public-api/v1/widgets (401)' },
  ]);
});

test('states come one at a time, and those of the team from its own handler', async ({
  serve,
  states,
}) => {
  const sandbox = await serve();
  await using team = await teamHandler(({ state }) =>
    state === 'a widget' ? { body: '{"id":9007199254740993}' } : { status: 404 },
  );
  await using server = states({ ...naming(sandbox), PACT_STATES_URL: team.url.href });
  const origin = await addressOf(server);
  const answers = await Promise.all([
    setUp(origin, 'a token made some hours ago', { hours: 20 }),
    setUp(origin, 'a token made some hours ago', { hours: 30 }),
    setUp(origin, 'a widget', { colour: 'red' }),
    setUp(origin, 'another'),
    setUp(origin, ''),
    setUp(origin, 'a protected endpoint', { method: 'DELETE' }),
    change(origin, { state: 'a widget', action: 'teardown' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 422, 200, 422, 200]);
  expect(await answers[2]?.text()).toBe('{"colour":"red","id":9007199254740993}');
  expect(await answers[4]?.json()).toEqual({});
  expect(await answers[5]?.text()).toContain('name one in PUBLIC_API_ENDPOINTS');
  expect(team.changes).toEqual([
    'setup a widget {"colour":"red"}',
    'setup another {}',
    'teardown a widget {"colour":"red"}',
  ]);
});

test('only a verifier on this machine gets an answer', async ({ serve, states }) => {
  await using server = states(naming(await serve()));
  const origin = await addressOf(server);
  const state = { state: 'an account', action: 'setup' };
  const statuses = [
    await change(origin, state, { 'Content-Type': 'text/plain' }),
    await change(origin, state, {}),
    await fetch(origin),
    await change(origin, { ...state, state: 1 }),
    await change(origin, []),
  ].map(({ status }) => status);
  const headers = { ...json, Host: 'rebound.example' };
  const [rebound]: IncomingMessage[] = await once(
    http.request(origin, { method: 'POST', headers }).end(JSON.stringify(state)),
    'response',
  );
  expect([...statuses, rebound?.statusCode]).toEqual([403, 403, 403, 400, 400, 403]);
  const local = origin.replace('127.0.0.1', 'localhost');
  expect((await setUp(local, 'an account')).status).toBe(200);
});

test('Ctrl-C ends a command that waits for its start, without an error', async ({ states }) => {
  await using silent = await serveAnswers(() => ({ hang: true }));
  await using asking = states(namingWithoutClock(new URL(silent.url)));
  await expect.poll(() => silent.arrived.length).toBe(1);
  asking.child.kill('SIGINT');
  const stderr = expect.stringMatching(/^interrupted[^\n]*\n$/);
  expect(await asking.ended).toMatchObject({ exit: 130, stdout: '', stderr });
});

test('a command that cannot start prints the reason in one line', async ({ serve, states }) => {
  const sandbox = await serve();
  const { port } = sandbox.baseUrl;
  for (const [env, args, line] of [
    [{}, [], 'no PUBLIC_API_BASE_URL is set'],
    [naming(sandbox), ['--port', port], 'EADDRINUSE'],
    [naming(sandbox), ['--port', 'x'], '--port x is not a port'],
    [
      namingWithoutClock(sandbox.baseUrl),
      ['--port', '0'],
      'refused the credentials with status 400',
    ],
  ] as const) {
    const { exit, stdout, stderr } = await states(env, args).ended;
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(line);
    expect(stderr.trim()).not.toContain('\n');
  }
});
