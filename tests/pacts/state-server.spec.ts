import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { expect, naming } from '../gate/process.ts';
import { teamHandler } from './fake-server.ts';
import { findAddress, test } from './standard-verifier.ts';

const json = { 'Content-Type': 'application/json' };
const change = (url: string, body: object, headers: Record<string, string> = json) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });

test('states come one at a time, those of the team from its own handler, and only to this machine', async ({
  serve,
  states,
}) => {
  await using team = await teamHandler(({ state }) =>
    state === 'a widget' ? { body: '{"id":9007199254740993}' } : { status: 404 },
  );
  const sandbox = await serve();
  await using server = states({ ...naming(sandbox), PACT_STATES_URL: team.url.href });
  const origin = await findAddress(server);
  const setUp = (state: string, params: object = {}) =>
    change(origin, { state, params, action: 'setup' });
  const answers = await Promise.all([
    setUp('a widget', { colour: 'red' }),
    setUp('a protected endpoint', { method: 'DELETE' }),
    setUp('a token made some hours ago', { hours: 20 }),
    setUp('a token made some hours ago', { hours: 30 }),
    setUp('another'),
    setUp(''),
    change(origin, { state: 'a widget', action: 'teardown' }),
    change(origin.replace('127.0.0.1', 'localhost'), { state: 'an account', action: 'setup' }),
    change(origin, { state: 'an account' }, { 'Content-Type': 'text/plain' }),
    fetch(origin),
    change(origin, { state: 1 }),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual([200, 422, 200, 200, 422, 200, 200, 200, 403, 403, 400]);
  const [widget, unknown] = await Promise.all(answers.map((answer) => answer.text()));
  expect(widget).toBe('{"colour":"red","id":9007199254740993}');
  expect(unknown).toContain('name one in PUBLIC_API_ENDPOINTS');
  expect(team.changes).toEqual([
    'setup a widget {"colour":"red"}',
    'setup another {}',
    'teardown a widget {"colour":"red"}',
  ]);
  const headers = { ...json, Host: 'localhost.rebound.example' };
  const rebound = http.request(origin, { method: 'POST', headers }).end('{"state":"an account"}');
  const [response]: IncomingMessage[] = await once(rebound, 'response');
  expect(response?.statusCode).toBe(403);
  server.child.kill('SIGINT');
  const { exit, stdout, stderr } = await server.ended;
  expect({ exit, stderr }).toEqual({ exit: 130, stderr: 'interrupted\n' });
  // The command has released the clock, so the sandbox shows real time again.
  expect(Math.abs(sandbox.clock.now() - Date.now())).toBeLessThan(60_000);
  const secrets = [...sandbox.state.tokens.keys(), ...Object.values(sandbox.state.account)];
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
});

test('without a provider the command ends with one line', async ({ states }) => {
  const stderr = 'no PUBLIC_API_BASE_URL is set\n';
  expect(await states({}).ended).toMatchObject({ exit: 2, stdout: '', stderr });
});
