import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { basic, bearer } from '../../contract/http/client.ts';
import type { CallOptions, Endpoint } from '../../contract/http/request.ts';
import { type Account, Secret, seal, type Token } from '../../contract/secrets/secret.ts';
import { widgets } from './simulated-service.ts';
import { type Behaviour, clientOf, expect, ok, type Stage, test } from './stage.ts';

const run = promisify(execFile);

const token = 'T0k3n-$HOME-`id`-"quoted"-\'single\'-\\-!x';
const keys = { apiKey: 'Key-41', secretKey: 'Quartz Violin #93$' };
const issued = ok(JSON.stringify({ success: true, message: '', data: { accessToken: token } }));

const provider: Behaviour = (socket, request) =>
  socket.end(
    request.startsWith('HEAD') ? ok('') : request.includes('auth/token') ? issued : ok('{}'),
  );

/** A client, its account, and a token that a provider at this address issued. */
async function callerOf(stage: Stage) {
  const account: Account = {
    apiKey: new Secret(keys.apiKey),
    secretKey: new Secret(keys.secretKey),
  };
  const client = clientOf(stage, { connection: { contact: 'a (b) @c' }, account });
  return { client, account, token: await client.issue(account) };
}

/** A request as it arrived, without the headers of the connection and the trace. */
function sent(request = ''): { line: string; headers: string[]; body: string } {
  const [head = '', body = ''] = request.split(/\r\n\r\n(.*)/s);
  const [line = '', ...headers] = head.split('\r\n');
  const own = headers.filter((one) => !/^(connection|traceparent):/i.test(one));
  return { line, headers: own.map((one) => one.trimEnd()).sort(), body };
}

const variables = { TOKEN: token, API_KEY: keys.apiKey, SECRET_KEY: keys.secretKey };

/** Runs a line in a shell that has these variables, as a user would. */
const pasted = (shell: string, line: string, more: NodeJS.ProcessEnv = {}) =>
  run(shell, ['-c', line], { env: { PATH: process.env.PATH, ...variables, ...more } });

const reports: Endpoint = { method: 'POST', path: '/public-api/v1/reports' };
const hostile = `'; touch owned; ' $(id) \`id\` "$HOME" \\ !! %s %%`;

type Of = (given: { readonly token: Token; readonly account: Account }) => CallOptions;

/** The options of a probe's request, and its endpoint. */
const requests: readonly (readonly [what: string, of: Of, to?: Endpoint])[] = [
  ['nothing', () => ({})],
  ['a token', ({ token }) => bearer(token)],
  ['no Accept and no User-Agent', () => ({ without: ['Accept', 'User-Agent'] })],
  ['two Authorization headers', ({ token }) => ({ authorization: ['Bearer x', token.secret] })],
  ['an empty Authorization', () => ({ authorization: '' })],
  ['headers for a shell', () => ({ headers: { 'X-A': hostile, 'X-B': 'it\'s "b"' } })],
  ['headers beyond ASCII', () => ({ headers: { 'X-A': 'é\tz', 'X-B': '日本' } })],
  ['a token in a query', ({ token }) => ({ query: seal`all=[1]&t=${token.secret}` })],
  ['dot segments', () => ({ path: '/public-api/v1/x/../%2e/a#b{c}' })],
  ['a path for a shell', () => ({ path: "/public-api/v1/a'b;c&d" })],
  ['its whole address', () => ({ address: 'target' as const })],
  ['HTTP/1.0', () => ({ version: '1.0' as const })],
  ['HTTP/1.0 without Host', () => ({ version: '1.0' as const, headers: { Host: '' } })],
  ['a lower-case method', () => ({ method: 'get' })],
  ['HEAD', () => ({ method: 'HEAD' })],
  ['no body', () => ({}), reports],
  ['no body of DELETE', () => ({ method: 'DELETE' }), reports],
  ['JSON for a shell', () => ({ body: { json: { text: hostile, more: ['é'] } } }), reports],
  ['JSON with the keys', ({ account }) => ({ body: { json: { ...account } } }), reports],
  ['a text like a file', () => ({ body: { type: 'text/plain', text: '@file' } }), reports],
  ['lines', () => ({ body: { type: 'text/plain', text: '-a\r\n%s\\\n\n' } }), reports],
  [
    'lines with a token',
    ({ token }) => ({ body: { type: 'text/plain', text: seal`a\n${token.secret}\n` } }),
    reports,
  ],
  ['bytes', () => ({ body: { bytes: Buffer.from([0, 255, 10, 39, 37, 0]) } }), reports],
  ['chunks', () => ({ chunked: true as const, body: { json: {} } }), reports],
  [
    'Basic credentials',
    ({ account }) => ({ authorization: basic(seal`${account.apiKey}:${account.secretKey}`) }),
  ],
  [
    'JSON that a probe writes',
    ({ account }) => ({
      body: {
        type: 'application/json',
        text: seal`{"k":${account.apiKey.derive((text) => JSON.stringify(text))}}`,
      },
    }),
    reports,
  ],
];

for (const [what, of, to = widgets] of requests)
  test(`a command pasted into a shell sends the same request: ${what}`, async ({ raise }) => {
    const stage = await raise(provider);
    const caller = await callerOf(stage);
    const { request } = await caller.client.call(to, of(caller));
    const line = request.curl?.(`it is ${hostile}`) ?? '';
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    for (const secret of [token, ...Object.values(keys)]) expect(line).not.toContain(secret);
    for (const shell of ['bash', 'sh']) await pasted(shell, line);
    const [, first, ...pastedOnes] = stage.requests.map(sent);
    expect(first?.line).not.toBe('');
    expect(pastedOnes).toEqual([first, first]);
  });

test('an altered token is a variable that says how, and without it nothing is sent', async ({
  raise,
}) => {
  const stage = await raise(provider);
  const { client, token: given } = await callerOf(stage);
  const secret = given.secret.derive((text) => text.slice(1));
  const { request } = await client.call(widgets, {
    ...bearer({ ...given, secret }),
    headers: { 'X-Made-Up': new Secret('made-up'), 'X-Twice': secret },
  });
  const line = request.curl?.(`the token's first "character" is $(gone) } !`) ?? '';
  expect(line).toContain(
    `"Authorization: Bearer \${ALTERED_TOKEN:?the token s first character is gone}"`,
  );
  expect(line).toContain(`"X-Made-Up: \${SECRET:?the token s first character is gone}"`);
  for (const shell of ['bash', 'sh']) {
    const failed = pasted(shell, line);
    await expect(failed).rejects.toThrow(/ALTERED_TOKEN: the token s first character is gone/);
  }
  expect(stage.requests).toHaveLength(2);
  const values = { ALTERED_TOKEN: token.slice(1), SECRET: 'made-up' };
  for (const shell of ['bash', 'sh']) await pasted(shell, line, values);
  expect(sent(stage.requests[2])).toEqual(sent(stage.requests[1]));
  expect(sent(stage.requests[3])).toEqual(sent(stage.requests[1]));
});

test('a secret that a probe writes as JSON is a variable that says so', async ({ raise }) => {
  const stage = await raise(provider);
  const { client, token: given } = await callerOf(stage);
  const written = given.secret.derive((text) => JSON.stringify(text));
  const body = { type: 'application/json', text: seal`{"token":${written}}` };
  const { request } = await client.call(reports, { body });
  const line = request.curl?.('the token is valid') ?? '';
  expect(line).toContain(`"\${TOKEN_IN_JSON:?TOKEN escaped for JSON}"`);
  for (const shell of ['bash', 'sh'])
    await pasted(shell, line, { TOKEN_IN_JSON: JSON.stringify(token).slice(1, -1) });
  const [, first, ...pastedOnes] = stage.requests.map(sent);
  expect(pastedOnes).toEqual([first, first]);
});

test('the values that only an endpoint has are variables', async ({ raise }) => {
  const stage = await raise(provider);
  const { client } = await callerOf(stage);
  const headers = { 'X-Tenant': 'acme-canary' };
  const { request } = await client.call({ ...reports, headers, body: { json: 'canary' } });
  const line = request.curl?.('') ?? '';
  expect(line).toContain(`-H "X-Tenant: \${X_TENANT:?X-Tenant of this endpoint}"`);
  expect(line).toContain(`--data-raw "\${BODY:?the body that is set for this endpoint}"`);
  expect(line).not.toContain('canary');
});

test('a made-up token that resembles a known one by chance is a variable that says what it is', async ({
  raise,
}) => {
  const stage = await raise(provider);
  const { client } = await callerOf(stage);
  const authorization = `Bearer ${token.slice(0, 9)}.made.up`;
  const { request } = await client.call(widgets, { authorization });
  const line = request.curl?.('the token is made up') ?? '';
  expect(line).toContain(`-H "Authorization: \${AUTHORIZATION:?the token is made up}"`);
  expect(client.scrub(line)).toBe(line);
  await pasted('bash', line, { AUTHORIZATION: authorization });
  expect(sent(stage.requests[2])).toEqual(sent(stage.requests[1]));
});

test('a command that would be too long, or hold a secret by chance, is not shown', async ({
  raise,
}) => {
  const stage = await raise(provider);
  const { client } = await callerOf(stage);
  const long = await client.call(widgets, { headers: { 'X-A': 'x'.repeat(2000) } });
  expect(long.request.curl?.('')).toBe('# not shown: the command would be too long');
  const leaking = await client.call(widgets, { headers: { 'X-A': `a ${token} b` } });
  expect(leaking.request.curl?.('')).toBe('# not shown: the command may hold a secret');
});
