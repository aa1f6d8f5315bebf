import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { targetOf } from '../../gate/own-sandbox.ts';
import { openStateServer } from '../../pacts/state-server/server.ts';
import { Provider } from '../../pacts/verify/provider.ts';
import { stateHandler } from '../../pacts/verify/state-handler.ts';
import { sandboxEndpoints } from '../../sandbox/provider.ts';
import { faulty } from '../faults/index.ts';
import { test as base, expect, naming, namingWithoutClock } from '../gate/process.ts';
import { type Environment, ours, startNode } from '../process.ts';
import { serve as serveAnswers } from './fake-broker.ts';
import { standardVerifier } from './standard-verifier.ts';
import { teamHandler } from './team-handler.ts';

const main = ours('pacts/state-server/main.ts');
const files = [
  ours('pacts/public-api-monitor-public-api.json'),
  ours('pacts/sandbox/widget-report-public-api.json'),
];

/** Starts the command in its own process. */
const test = base.extend<{
  states: (env: Environment, args?: readonly string[]) => ReturnType<typeof startNode>;
}>({
  states: async ({ folder }, use) => {
    await use((env, args = ['--port', '0']) => startNode(folder, [main, ...args], env));
  },
});

const json = { 'Content-Type': 'application/json' };
const setUp = (url: string, state: string, params: object = {}): Promise<Response> =>
  change(url, { state, params, action: 'setup' });
const change = (url: string, body: object | string, headers: Record<string, string> = json) =>
  fetch(url, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

test("Pact's own verifier verifies our pacts in our states", async ({ folder, serve, states }) => {
  const sandbox = await serve();
  const env = {
    ...naming(sandbox),
    PUBLIC_API_ENDPOINTS: sandboxEndpoints.map((one) => `${one.method} ${one.path}`).join(),
  };
  await using server = states(env);
  const statesUrl = (await server.line(/^states +(\S+)/m)) ?? '';
  const run = await standardVerifier({ folder, files, provider: sandbox.baseUrl, statesUrl });
  expect(run.exit, run.output).toBe(0);
  expect(run.results).toHaveLength(11);
  server.child.kill('SIGINT');
  const { exit, stdout, stderr } = await server.ended;
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toContain('\nsetup of "a token made some hours ago"\n');
  // The command has released the clock, so the sandbox shows real time again.
  expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(60_000);
  const secrets = [...sandbox.state.tokens.keys(), ...Object.values(sandbox.state.account)];
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
});

test('a state that proves nothing is refused for every verifier', async ({ serve }) => {
  const sandbox = await serve(faulty('refuses-everything'));
  const server = await openStateServer(new Provider(targetOf(sandbox)));
  const response = await setUp(server.origin, 'a valid token');
  expect([response.status, await response.json()]).toEqual([
    422,
    { error: 'a token that was just made is refused by GET /public-api/v1/widgets (401)' },
  ]);
  server.close();
});

test('tokens of an age are made one by one, since there is one clock', async ({ serve }) => {
  const sandbox = await serve();
  const server = await openStateServer(new Provider(targetOf(sandbox)));
  const hours = [20, 30, 40];
  const made = await Promise.all(
    hours.map((age) => setUp(server.origin, 'a token made some hours ago', { hours: age })),
  );
  server.close();
  expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
  const instants = [...sandbox.state.tokens.values()].map(({ madeAt }) => madeAt);
  // The first token checks that the clock moves. Two days pass before each of the others.
  const gaps = instants.slice(1).map((instant, at) => (instant - (instants[at] ?? 0)) / 3_600_000);
  expect(gaps.every((gap) => gap > 48)).toBe(true);
});

test('states come one at a time, and those of the team from its own handler', async ({ serve }) => {
  const sandbox = await serve();
  await using team = await teamHandler(({ state }) =>
    state === 'a widget' ? { body: '{"id":9007199254740993}' } : { status: 404 },
  );
  const lines: string[] = [];
  const handler = stateHandler(team.url, { timeoutMs: 2000 });
  const server = await openStateServer(new Provider(targetOf(sandbox), undefined, handler), {
    onChange: (line) => lines.push(line),
  });
  const answers = await Promise.all([
    setUp(server.origin, 'a token made some hours ago', { hours: 23 }),
    setUp(server.origin, 'a widget', { colour: 'red' }),
    setUp(server.origin, 'another'),
    setUp(server.origin, ''),
    setUp(server.origin, 'a protected endpoint', { method: 'DELETE' }),
    change(server.origin, { state: 'a widget', action: 'teardown' }),
  ]);
  server.close();
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 422, 200, 422, 200]);
  expect(await answers[1]?.text()).toBe('{"id":9007199254740993}');
  expect(await answers[3]?.json()).toEqual({});
  expect(await answers[4]?.text()).toContain('name one in PUBLIC_API_ENDPOINTS');
  expect(team.changes).toEqual([
    'setup a widget {"colour":"red"}',
    'setup another {}',
    'teardown a widget {"colour":"red"}',
  ]);
  expect(lines).toHaveLength(6);
});

test('a protected endpoint is one of GET unless the state names a method', async ({ serve }) => {
  const target = targetOf(await serve());
  const [get, post] = ['GET', 'POST'].map((one) =>
    target.endpoints.find(({ method }) => method === one),
  );
  if (get === undefined || post === undefined) throw new Error('the sandbox has other endpoints');
  const server = await openStateServer(new Provider({ ...target, endpoints: [post, get] }));
  const path = async (params?: object): Promise<unknown> =>
    (await setUp(server.origin, 'a protected endpoint', params)).json();
  expect(await path()).toEqual({ path: get.path });
  expect(await path({ method: 'post' })).toEqual({ path: post.path });
  server.close();
});

test('only a verifier on this machine gets an answer', async ({ serve }) => {
  const server = await openStateServer(new Provider(targetOf(await serve())));
  const state = { state: 'an account', action: 'setup' };
  const deep = `${'['.repeat(9e3)}${']'.repeat(9e3)}`;
  const statuses = [
    await change(server.origin, state, { 'Content-Type': 'text/plain' }),
    await change(server.origin, state, {}),
    await fetch(server.origin),
    await change(server.origin, { ...state, state: 1 }),
    await change(server.origin, { ...state, action: 'destroy' }),
    await change(server.origin, []),
    await change(server.origin, { ...state, params: 'none' }),
    await change(server.origin, `{"state":"an account","params":{"a":${deep}},"action":"setup"}`),
  ].map(({ status }) => status);
  const headers = { ...json, Host: 'rebound.example' };
  const [rebound]: IncomingMessage[] = await once(
    http.request(server.origin, { method: 'POST', headers }).end(JSON.stringify(state)),
    'response',
  );
  expect(rebound?.statusCode).toBe(403);
  expect(statuses).toEqual([403, 403, 403, 400, 400, 400, 400, 400]);
  expect((await setUp(server.origin.replace('127.0.0.1', 'localhost'), 'an account')).status).toBe(
    200,
  );
  server.close();
});

test('Ctrl-C ends a command that waits for its start, without an error', async ({ states }) => {
  await using silent = await serveAnswers(() => ({ hang: true }));
  await using asking = states(namingWithoutClock(new URL(silent.url)));
  await expect.poll(() => silent.arrived.length).toBe(1);
  asking.child.kill('SIGINT');
  expect(await asking.ended).toMatchObject({ exit: 0, stdout: '' });
  expect((await asking.ended).stderr).not.toContain('defect');
});

// Tests may run as root, who may use any port.
const unprivileged = `data:text/javascript,
import net from 'node:net';
net.Server.prototype.listen = function () {
  process.nextTick(() => this.emit('error', Object.assign(new Error(), { code: 'EACCES' })));
  return this;
};`;

test('a command that cannot start prints the reason in one line', async ({ serve, states }) => {
  const sandbox = await serve();
  const { port } = sandbox.baseUrl;
  const NODE_OPTIONS = `--import="${encodeURI(unprivileged)}"`;
  for (const [env, args, line] of [
    [{}, [], 'no provider is set, and a verifier cannot reach the sandbox of this process'],
    [naming(sandbox), ['--port', port], `127.0.0.1:${port} is in use: --port selects another`],
    [
      { ...naming(sandbox), NODE_OPTIONS },
      ['--port', '80'],
      ':80 needs a privilege that this user',
    ],
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
