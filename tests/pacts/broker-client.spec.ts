import { Secret } from '../../contract/secrets/secret.ts';
import { type BrokerAccess, buildPath, openBroker } from '../../pacts/broker/broker.ts';
import { brokerPacts, publishResult } from '../../pacts/broker/pacts.ts';
import { unverifiedPact } from '../../pacts/verify/pact-verification.ts';
import { expect, test } from '../test.ts';
import { type Answer, index, serve, serveBroker } from './fake-server.ts';
import { callWithToken, textOf } from './pact-builder.ts';

const credentials = { token: new Secret('tp-7361-9254-0182') };

const openAt = (url: string, access: Partial<BrokerAccess> = {}) =>
  openBroker({ baseUrl: new URL(url), timeoutMs: 5_000, ...access });

const refused = (status: number): string =>
  `refuses the credentials: it answers ${status}; set PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD (GET /)`;
const leaking = { error: { message: 'no\u001b[31m tp-7361-9254-0182\n::error::x' } };
const moved = { Location: 'https://broker.example.com/' };

for (const [what, answer, line, access] of [
  ['a page that is no broker', { body: '<html>' }, 'does not answer with JSON (GET /)'],
  ['JSON of something else', { body: {} }, 'is not a Pact Broker: set PACT_BROKER_BASE_URL to'],
  [
    'a redirect',
    { status: 308, headers: moved },
    'redirects to https://broker.example.com/: set PACT_BROKER_BASE_URL to where it is (GET /)',
  ],
  ['a refused token', { status: 401 }, refused(401)],
  ['a token at an open-source broker', { status: 400 }, refused(400)],
  [
    'an error of the broker that repeats the token',
    { status: 500, body: leaking },
    'fails: no [31m [secret] ::error::x (GET /)',
  ],
  [
    'a broker that never answers',
    { hang: true },
    'does not answer: GET /: no complete answer in time (300 ms)',
    { timeoutMs: 300 },
  ],
] satisfies [string, Answer, string, Partial<BrokerAccess>?][])
  test(`${what} is reported in one line`, async () => {
    await using server = await serve(() => answer);
    const message = expect.stringMatching(/^[^\n]*$/);
    const opened = openAt(server.url, { credentials, ...access });
    await expect(opened).rejects.toMatchObject({ name: 'BrokerError', message });
    await expect(opened).rejects.toThrow(`${server.url} ${line}`);
  });

test('a token that no header can hold is refused, and is not shown', async () => {
  const token = new Secret('tp-7361-9254-0182\n');
  const opened = openAt('http://127.0.0.1:1', { credentials: { token } });
  await expect(opened).rejects.toThrow(/^PACT_BROKER_TOKEN holds a line break .*: omit it$/);
});

test('credentials and headers of the settings are sent with every request', async () => {
  await using server = await serve(() => index);
  await openAt(server.url, { credentials });
  const password = new Secret('pä:ss');
  const headers = [['X-Gateway', new Secret('a-key-of-the-gateway')]] as const;
  await openAt(server.url, { credentials: { username: 'us er', password }, headers });
  const basic = `Basic ${Buffer.from('us er:pä:ss').toString('base64')}`;
  expect(server.arrived.map(({ headers }) => headers)).toMatchObject([
    { authorization: 'Bearer tp-7361-9254-0182' },
    { authorization: basic, 'x-gateway': 'a-key-of-the-gateway' },
  ]);
});

test("only paths and links below the broker's address are requested", async () => {
  await using stranger = await serve(() => index);
  await using server = await serve(() => index);
  const broker = await openAt(`${server.url}/in`, { credentials });
  for (const link of [`${stranger.url}/in/x`, `${server.url}/inner/x`, 'ftp://x'])
    await expect(broker.request('GET', link)).rejects.toThrow('which is not below its address');
  await broker.request('GET', '//x');
  expect(stranger.arrived).toEqual([]);
  await broker.request('GET', buildPath`/pacticipants/${'a/b c?#%'}/versions/${'ü'}`);
  await broker.request('GET', `${server.url}/in/x?y=1`);
  const paths = ['/in/', '/in//x', '/in/pacticipants/a%2Fb%20c%3F%23%25/versions/%C3%BC'];
  expect(server.arrived.map(({ url }) => url)).toEqual([...paths, '/in/x?y=1']);
});

test('a result that the broker refuses, or has no place for, is a failure', async () => {
  const links = { 'pb:publish-verification-results': { href: '/results' } };
  const invalid = { errors: { name: ['is blank'], contracts: ['x'] } };
  for (const [_links, answer, line] of [
    [links, { status: 400, body: invalid }, 'the Pact Broker refuses the result: is blank; x'],
    [links, { hang: true }, 'no complete answer in time (1000 ms)'],
    [{}, {}, 'the Pact Broker takes no results: '],
  ] as const) {
    const pact = { body: textOf([callWithToken()], { _links }) };
    const answers: Readonly<Record<string, Answer>> = { '/pact': pact, '/results': answer };
    await using server = await serveBroker(({ url }) => answers[url] ?? { status: 201, body: {} });
    const broker = await openAt(server.url, { timeoutMs: 1_000 });
    const selection = { provider: 'public-api', branch: 'main', selectors: [] };
    const pactUrl = new URL('/pact', server.url);
    const sources = await brokerPacts(broker, { ...selection, pactUrl });
    const by = { version: '1', branch: 'main' };
    const results = sources.map((source) => publishResult(broker, unverifiedPact(source, ''), by));
    await expect(Promise.all(results)).rejects.toThrow(line);
  }
});
