import { expect, test } from '@playwright/test';
import type { BrokerAccess } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { openBroker, pathOf } from '../../pacts/broker/broker.ts';
import { type Answer, index, serve, serveBroker } from './fake-broker.ts';

const credentials = { token: new Secret('tp-7361-9254-0182') };

const openAt = (url: string, access: Partial<BrokerAccess> = {}) =>
  openBroker({ baseUrl: new URL(url), timeoutMs: 5_000, ...access }, { afterMs: 1 });

/** The error line of a broker command. @param shown the broker's address, replaced by BROKER in the line */
async function message(work: () => Promise<unknown>, shown = 'no address'): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    expect(error.name).toBe('BrokerError');
    expect(error.message).not.toContain('\n');
    return error.message.replaceAll(shown, 'BROKER');
  }
  throw new Error('nothing was reported');
}

test('a missing broker is reported as such', async () => {
  expect(await message(() => openBroker(undefined))).toBe(
    'no Pact Broker is configured: set PACT_BROKER_BASE_URL',
  );
});

const refused = (status: number): string =>
  `refuses the credentials: it answers ${status}; set PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD (GET /)`;

const answers: [what: string, answer: Answer, line: string, access?: Partial<BrokerAccess>][] = [
  ['a page that is no broker', { body: '<html>' }, 'does not answer with JSON (GET /)'],
  [
    'a redirect',
    { status: 308, headers: { Location: 'https://broker.example.com/' } },
    'redirects to https://broker.example.com/: set PACT_BROKER_BASE_URL to where it is (GET /)',
  ],
  ['a refused token', { status: 401 }, refused(401)],
  ['a token at an open-source broker with basic authentication', { status: 400 }, refused(400)],
  ['a broker that wants credentials', { status: 401 }, refused(401), { credentials: undefined }],
  [
    'an error of the broker that repeats the token',
    { status: 500, body: { error: { message: 'no\u001b[31m tp-7361-9254-0182\n::error::x' } } },
    'fails: no [31m [secret] ::error::x (GET /)',
  ],
  [
    'a broker that never answers',
    { hang: true },
    'does not answer: GET /: no complete answer in time (300 ms)',
    { timeoutMs: 300 },
  ],
];

for (const [what, answer, line, access] of answers)
  test(`${what} is reported in one line`, async () => {
    await using server = await serve(() => answer);
    const opened = () => openAt(server.url, { credentials, ...access });
    expect(await message(opened, server.url)).toBe(`the Pact Broker at BROKER ${line}`);
  });

test('JSON of something else is reported in one line', async () => {
  await using server = await serve(() => ({ body: { ok: true } }));
  expect(await message(() => openAt(server.url, { credentials }), server.url)).toBe(
    'BROKER is not a Pact Broker: set PACT_BROKER_BASE_URL to the address of one',
  );
});

test('a token or a password is sent with every request, and only in its header', async () => {
  await using server = await serve(() => index);
  await openAt(server.url, { credentials });
  const password = new Secret('pä:ss');
  await openAt(server.url, { credentials: { username: 'us er', password } });
  expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer tp-7361-9254-0182',
    `Basic ${Buffer.from('us er:pä:ss').toString('base64')}`,
  ]);
  expect(JSON.stringify(server.arrived.map(({ headers: _, ...rest }) => rest))).not.toContain('tp');
});

test('a link to another host is not followed, and gets no credentials', async () => {
  await using stranger = await serve(() => index);
  await using server = await serve((arrived) => (arrived.url === '/in/' ? index : {}));
  const broker = await openAt(`${server.url}/in`, { credentials });
  for (const link of [`${stranger.url}/in/x`, `${server.url}/inner/x`, 'ftp://x', '//x']) {
    const line = await message(() => broker.request('GET', link), `${server.url}/in`);
    if (!link.startsWith('//')) expect(line).toContain('which is not below its address');
  }
  expect(stranger.arrived).toEqual([]);
});

test("paths lie below the broker's path, and contain any name", async () => {
  await using server = await serve(() => index);
  const broker = await openAt(`${server.url}/in/`);
  await broker.request('GET', pathOf`/pacticipants/${'a/b c?#%'}/versions/${'ü'}`);
  await broker.request('GET', `${server.url}/in/x?y=1`);
  expect(server.arrived.map(({ url }) => url)).toEqual([
    '/in/',
    '/in/pacticipants/a%2Fb%20c%3F%23%25/versions/%C3%BC',
    '/in/x?y=1',
  ]);
});

test("a broker's error is put into one line, whatever its form", async () => {
  for (const [body, why] of [
    [{ error: 'one' }, 'one'],
    [{ errors: ['one', 'two'] }, 'one; two'],
    [{ errors: { name: ['is blank'], contracts: ['x'] } }, 'is blank; x'],
    [{}, 'it answers 400'],
  ] as const) {
    await using server = await serveBroker({ status: 400, body });
    const broker = await openAt(server.url);
    expect(await broker.request('GET', '/x')).toMatchObject({ ok: false, status: 400, why });
  }
});

test('a connection that breaks for a moment fails nothing', async () => {
  const answers: Answer[] = [{ reset: true }, { body: { there: true } }];
  await using server = await serveBroker(() => answers.shift() ?? {});
  const broker = await openAt(server.url);
  expect(await broker.get('/x', 'page')).toEqual({ there: true });
});

test('no request is sent a third time, and none twice that is not idempotent', async () => {
  await using server = await serveBroker({ status: 503 });
  const broker = await openAt(server.url);
  for (const method of ['GET', 'PUT', 'POST'] as const)
    expect(await message(() => broker.request(method, '/x'), server.url)).toBe(
      `the Pact Broker at BROKER fails: it answers 503 (${method} /x)`,
    );
  const methods = server.arrived.slice(1).map(({ method }) => method);
  expect(methods).toEqual(['GET', 'GET', 'PUT', 'PUT', 'POST']);
});

test('headers of the settings go with every request, and are hidden', async () => {
  const value = 'a-key-of-the-gateway';
  await using server = await serve(({ headers }) =>
    headers['x-gateway'] === value ? index : { status: 409, body: { error: `not ${value}` } },
  );
  const headers = [['X-Gateway', new Secret(value)]] as const;
  const broker = await openAt(server.url, { headers });
  expect((await broker.request('GET', '/')).ok).toBe(true);
});
