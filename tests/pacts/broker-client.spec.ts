import type { BrokerAccess } from '../../config/settings.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { openBroker, pathOf } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { expect, test } from '../test.ts';
import { type Answer, index, serve, serveBroker } from './fake-broker.ts';
import { callWithToken, textOf } from './pact-builder.ts';
import { resultOf, selectors } from './real-broker.ts';

const credentials = { token: new Secret('tp-7361-9254-0182') };

const openAt = (url: string, access: Partial<BrokerAccess> = {}) =>
  openBroker({ baseUrl: new URL(url), timeoutMs: 5_000, ...access }, { afterMs: 1 });

/** The error line of a broker command. @param shown the broker's address, replaced by BROKER in the line */
const message = (work: Promise<unknown>, shown = 'no address'): Promise<string> =>
  work.then(
    () => 'nothing was reported',
    (error: Error) => {
      expect(error.name).toBe('BrokerError');
      expect(error.message).not.toContain('\n');
      return error.message.replaceAll(shown, 'BROKER');
    },
  );

const refused = (status: number): string =>
  `the Pact Broker at BROKER refuses the credentials: it answers ${status}; set PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD (GET /)`;
const leaking = { error: { message: 'no\u001b[31m tp-7361-9254-0182\n::error::x' } };

test('a missing broker is reported as such', async () => {
  const line = 'no Pact Broker is configured: set PACT_BROKER_BASE_URL';
  expect(await message(openBroker(undefined))).toBe(line);
});

for (const [what, answer, line, access] of [
  [
    'a page that is no broker',
    { body: '<html>' },
    'the Pact Broker at BROKER does not answer with JSON (GET /)',
  ],
  [
    'JSON of something else',
    { body: { ok: true } },
    'BROKER is not a Pact Broker: set PACT_BROKER_BASE_URL to the address of one',
  ],
  [
    'a redirect',
    { status: 308, headers: { Location: 'https://broker.example.com/' } },
    'the Pact Broker at BROKER redirects to https://broker.example.com/: set PACT_BROKER_BASE_URL to where it is (GET /)',
  ],
  ['a refused token', { status: 401 }, refused(401)],
  ['a token at an open-source broker with basic authentication', { status: 400 }, refused(400)],
  ['a broker that wants credentials', { status: 401 }, refused(401), { credentials: undefined }],
  [
    'an error of the broker that repeats the token',
    { status: 500, body: leaking },
    'the Pact Broker at BROKER fails: no [31m [secret] ::error::x (GET /)',
  ],
  [
    'a broker that never answers',
    { hang: true },
    'the Pact Broker at BROKER does not answer: GET /: no complete answer in time (300 ms)',
    { timeoutMs: 300 },
  ],
] satisfies [string, Answer, string, Partial<BrokerAccess>?][])
  test(`${what} is reported in one line`, async () => {
    await using server = await serve(() => answer);
    const opened = openAt(server.url, { credentials, ...access });
    expect(await message(opened, server.url)).toBe(line);
  });

test('credentials and headers of the settings are sent with every request', async () => {
  await using server = await serve(() => index);
  await openAt(server.url, { credentials });
  const password = new Secret('pä:ss');
  const headers = [['X-Gateway', new Secret('a-key-of-the-gateway')]] as const;
  await openAt(server.url, { credentials: { username: 'us er', password }, headers });
  expect(server.arrived.map(({ headers }) => headers)).toMatchObject([
    { authorization: 'Bearer tp-7361-9254-0182' },
    {
      authorization: `Basic ${Buffer.from('us er:pä:ss').toString('base64')}`,
      'x-gateway': 'a-key-of-the-gateway',
    },
  ]);
});

test("only paths and links below the broker's address are requested", async () => {
  await using stranger = await serve(() => index);
  await using server = await serve(() => index);
  const broker = await openAt(`${server.url}/in`, { credentials });
  for (const link of [`${stranger.url}/in/x`, `${server.url}/inner/x`, 'ftp://x'])
    expect(await message(broker.request('GET', link))).toContain('which is not below its address');
  await broker.request('GET', '//x');
  expect(stranger.arrived).toEqual([]);
  await broker.request('GET', pathOf`/pacticipants/${'a/b c?#%'}/versions/${'ü'}`);
  await broker.request('GET', `${server.url}/in/x?y=1`);
  expect(server.arrived.map(({ url }) => url)).toEqual([
    '/in/',
    '/in//x',
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
    expect(await message(broker.request(method, '/x'), server.url)).toBe(
      `the Pact Broker at BROKER fails: it answers 503 (${method} /x)`,
    );
  const methods = server.arrived.slice(1).map(({ method }) => method);
  expect(methods).toEqual(['GET', 'GET', 'PUT', 'PUT', 'POST']);
});

const branch = '/pacticipants/public-api/branches/main/versions/1';
const links = (more: object) => textOf([callWithToken()], { _links: more });
const pact = { body: links({ 'pb:publish-verification-results': { href: '/results' } }) };

for (const [what, answers, line] of [
  [
    'is refused',
    { '/results': { status: 400, body: { errors: ['no version'] } } },
    'the Pact Broker refuses the result: no version',
  ],
  ['may not be written', { '/results': { status: 403 } }, refused(403).slice(27, 70)],
  [
    'is of a branch that is refused',
    { [branch]: { status: 409, body: {} } },
    'the Pact Broker refuses the result: it answers 409',
  ],
  ['gets no answer', { '/results': { hang: true } }, 'no complete answer in time (1000 ms)'],
  ['has no link', { '/pact': { body: links({}) } }, 'the Pact Broker takes no results: '],
] satisfies [string, Record<string, Answer>, string][])
  test(`a result that ${what} is a failure`, async () => {
    const given: Readonly<Record<string, Answer>> = { '/pact': pact, ...answers };
    await using server = await serveBroker(({ url }) => given[url] ?? { status: 201, body: {} });
    const broker = await openAt(server.url, { timeoutMs: 1_000 });
    const pactUrl = new URL('/pact', server.url);
    const selection = { provider: 'public-api', branch: 'main', selectors, pactUrl };
    const { sources, publish } = await brokerPacts(broker, selection);
    const by = { version: '1', branch: 'main' };
    const results = sources.map((source) => publish(resultOf(source), by));
    await expect(Promise.all(results)).rejects.toThrow(line);
  });
