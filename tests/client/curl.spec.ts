import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bearer } from '../../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../../contract/http/request.ts';
import { type Account, Secret, type Token } from '../../contract/secrets/secret.ts';
import { widgets } from './simulated-service.ts';
import { type Behaviour, clientOf, expect, ok, type Stage, test } from './stage.ts';

const run = promisify(execFile);

const token = 'T0k3n-$HOME-`id`-"quoted"-\'single\'-\\-!x';
const keys = { apiKey: 'Key-41', secretKey: 'Quartz Violin #93$' };
const account = { apiKey: new Secret(keys.apiKey), secretKey: new Secret(keys.secretKey) };
const issued = ok(JSON.stringify({ success: true, message: '', data: { accessToken: token } }));

const provider: Behaviour = (socket, request) => {
  if (request.startsWith('HEAD')) socket.end(ok(''));
  else socket.end(request.includes('auth/token') ? issued : ok('{}'));
};

/** A client, its account, and a token that a provider at this address issued. */
async function callerOf(stage: Stage) {
  const client = clientOf(stage, { account });
  return { client, account, token: await client.issue(account) };
}

/** A request as it arrived, without the headers of the connection and the trace. */
function sent(request = ''): { line: string; headers: string[]; body: string } {
  const [head = '', body = ''] = request.split(/\r\n\r\n(.*)/s);
  const [line = '', ...headers] = head.split('\r\n');
  const sentHeaders = headers.filter((field) => !/^(connection|traceparent):/i.test(field));
  return { line, headers: sentHeaders.map((field) => field.trimEnd()).sort(), body };
}

const variables = { TOKEN: token, API_KEY: keys.apiKey, SECRET_KEY: keys.secretKey };

/** Runs a line in a shell that has these variables, as a user would. */
const pasted = (shell: string, line: string, more: NodeJS.ProcessEnv = {}) =>
  run(shell, ['-c', line], { env: { PATH: process.env.PATH, ...variables, ...more } });

const reports: Endpoint = { method: 'POST', path: '/public-api/v1/reports' };
const hostile = `'; touch owned; ' $(id) \`id\` "$HOME" \\ !! %s %%`;

type Of = (given: { readonly token: Token; readonly account: Account }) => CallOptions;
type Requests = readonly (readonly [what: string, of: Of, to?: Endpoint])[];

/** The options of a probe's request, and its endpoint. */
const plain: Requests = [
  ['nothing', () => ({})],
  ['a token', ({ token }) => bearer(token)],
  ['headers for a shell', () => ({ headers: { 'X-A': hostile, 'X-B': 'it\'s "b"' } })],
  ['HEAD', () => ({ method: 'HEAD' })],
  ['no body', () => ({}), reports],
  ['JSON for a shell', () => ({ body: { json: { text: hostile, more: [''] } } }), reports],
  ['JSON with the keys', ({ account }) => ({ body: { json: { ...account } } }), reports],
];

test('a command pasted into a shell sends the same request', async ({ raise }) => {
  const stage = await raise(provider);
  const caller = await callerOf(stage);
  for (const [what, of, to = widgets] of plain)
    await test.step(what, async () => {
      const before = stage.requests.length;
      const { request } = await caller.client.call(to, of(caller));
      const line = request.curl?.() ?? '';
      expect(line).toMatch(/^curl [\x20-\x7e]+$/);
      for (const secret of [token, ...Object.values(keys)]) expect(line).not.toContain(secret);
      for (const shell of ['bash', 'sh']) await pasted(shell, line);
      const [first, ...pastedOnes] = stage.requests.slice(before).map(sent);
      expect(pastedOnes).toEqual([first, first]);
    });
});

const otherText = (text: string | Secret): CallOptions => ({ body: { type: 'text/plain', text } });

const others: Requests = [
  ['a made-up token', () => ({ authorization: 'Bearer made-up' })],
  ['a secret in a header', ({ token }) => ({ headers: { 'X-A': token.secret } })],
  ['a secret in a body', ({ token }) => otherText(token.secret), reports],
  ['a header beyond ASCII', () => ({ headers: { 'X-A': 'é' } })],
  ['a body of bytes', () => ({ body: { text: Buffer.from([0, 255]) } }), reports],
  ['dot segments', () => ({ path: '/public-api/v1/x/../y' })],
  ['a command of many characters', () => ({ headers: { 'X-A': 'x'.repeat(2000) } })],
];

for (const [what, of, to = widgets] of others)
  test(`a request has no command because of ${what}`, async ({ raise }) => {
    const caller = await callerOf(await raise(provider));
    const { request } = await caller.client.call(to, of(caller));
    expect(request.curl?.()).toBe(undefined);
  });

test('the values that only an endpoint has are variables', async ({ raise }) => {
  const stage = await raise(provider);
  const { client } = await callerOf(stage);
  const headers = { 'X-Tenant': 'acme-canary' };
  const { request } = await client.call({ ...reports, headers, body: { json: 'canary' } });
  const line = request.curl?.() ?? '';
  expect(line).not.toContain('canary');
  await expect(pasted('sh', line)).rejects.toThrow('X_TENANT');
  const values = { X_TENANT: 'acme-canary', BODY: '"canary"' };
  for (const shell of ['bash', 'sh']) await pasted(shell, line, values);
  const [, first, ...pastedOnes] = stage.requests.map(sent);
  expect(pastedOnes).toEqual([first, first]);
});
