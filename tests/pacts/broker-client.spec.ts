import { days } from '../../contract/durations.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type BrokerAccess, buildPath, openBroker } from '../../pacts/broker/broker.ts';
import { brokerPacts, publishResult } from '../../pacts/broker/pacts.ts';
import { unverifiedPact } from '../../pacts/verify/pact-verification.ts';
import { expect, test } from '../test.ts';
import { type Answer, index, serve, serveBroker } from './fake-server.ts';
import { callWithToken, textOf } from './pact-builder.ts';

const credentials = { token: new Secret('tp-7361-9254-0182') };

const gateway = 'a-key-of-the-gateway';
const headers = [['X-Gateway', new Secret(gateway)]] as const;
const secrets = [new Secret('a-secret-of-the-account')];

const openAt = (url: string, access: Partial<BrokerAccess> = {}) =>
  openBroker({ baseUrl: new URL(url), timeoutMs: 5_000, headers, ...access }, { secrets });

const selection = { provider: 'public-api', selectors: [], branch: 'main', pactUrl: undefined };
const by = { version: '1', branch: 'a/b', buildUrl: 'https://ci.example.com/7' };

const refused = (status: number): string =>
  `refuses the credentials: it answers ${status}; set PACT_BROKER_TOKEN, or PACT_BROKER_USERNAME and PACT_BROKER_PASSWORD (GET /)`;
const leaking = {
  error: {
    message: `no\u001b[31m tp-7361-9254-0182 ${gateway} a-secret-of-the-account\n::error::x`,
  },
};
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
  ['a user without rights', { status: 403 }, refused(403)],
  ['a token at an open-source broker', { status: 400 }, refused(400)],
  [
    'an error of the broker that repeats the token',
    { status: 500, body: leaking },
    'fails: no [31m [secret] [secret] [secret] ::error::x (GET /)',
  ],
  ['an error without words', { status: 500, body: '' }, 'fails: it answers 500 (GET /)'],
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
  await openAt(server.url, { credentials: { username: 'us er', password: new Secret('pä:ss') } });
  const basic = `Basic ${Buffer.from('us er:pä:ss').toString('base64')}`;
  expect(server.arrived.map(({ headers }) => headers)).toMatchObject([
    { authorization: 'Bearer tp-7361-9254-0182' },
    { authorization: basic, 'x-gateway': gateway },
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
    const pactUrl = new URL('/pact', server.url);
    const [source] = await brokerPacts(broker, { ...selection, pactUrl });
    const result = source && publishResult(broker, unverifiedPact(source, ''), by);
    await expect(result).rejects.toThrow(line);
  }
});

/** A broker with one pact, which is pending. */
const withPact = (pacts: object[]) => {
  const _links = {
    ...{ self: { href: '/pact' }, 'pb:publish-verification-results': { href: '/results' } },
    'pb:consumer-version': { name: '7' },
  };
  pacts.push({ _links, verificationProperties: { pending: true } });
  const bodies: Readonly<Record<string, unknown>> = {
    '/pacticipants/public-api': { mainBranch: 'main' },
    '/pacts/provider/public-api/for-verification': { _embedded: { pacts } },
    '/pact': textOf([{ ...callWithToken(), _id: 'an-id' }], {
      _links: { ..._links, self: { href: '/self' } },
    }),
  };
  const statusOf = (url: string): number => (url.includes('unknown') ? 404 : 200);
  return serveBroker(({ url }) => ({ status: statusOf(url), body: bodies[url] ?? {} }));
};

test('the pacts that the selectors choose are fetched, on the main branch with work in progress', async () => {
  const pacts: object[] = [];
  await using server = await withPact(pacts);
  const broker = await openAt(server.url);
  expect(await brokerPacts(broker, selection)).toMatchObject([{ from: '/self', pending: true }]);
  const asked = () => JSON.parse(server.arrived.findLast(({ body }) => body !== '')?.body ?? '');
  const { includeWipPactsSince: since } = asked();
  expect(Math.floor((Date.now() - Date.parse(since)) / days(1))).toBe(30);
  await brokerPacts(broker, { ...selection, branch: 'another' });
  const always = { consumerVersionSelectors: [], includePendingStatus: true };
  expect(asked()).toEqual({ ...always, providerVersionBranch: 'another' });
  const none = 'has no pact of unknown that the selectors choose on branch "main"';
  await expect(brokerPacts(broker, { ...selection, provider: 'unknown' })).rejects.toThrow(none);
});

test('a result is published with its version, and with the reasons of what is not verified', async () => {
  await using server = await withPact([]);
  const broker = await openAt(server.url);
  const difference = { expected: 'a', attribute: 'status' } as const;
  const found = { likely: 'perhaps', body: '{}', warnings: ['a warning'] };
  const mismatches = [{ ...difference, received: 'b', what: 'it differs' }];
  const kept = { ending: 'verified', reason: undefined, warnings: ['a warning'] } as const;
  const [source] = await brokerPacts(broker, selection);
  if (source === undefined) throw new Error('the broker has a pact');
  const interactions = unverifiedPact(source, 'because').interactions.flatMap((open) => [
    { ...open, ...found, mismatches },
    { ...open, ...kept },
  ]);
  const line = 'published: public-api 1 fails the pact of a-consumer 7';
  expect(await publishResult(broker, { source, interactions }, by)).toBe(line);
  const [put, post] = server.arrived.slice(-2);
  const url = '/pacticipants/public-api/branches/a%2Fb/versions/1';
  expect(put).toMatchObject({ method: 'PUT', url });
  const words = ['because', 'perhaps', 'the body of the response: {}', 'a warning'];
  const exceptions = words.map((message) => ({ message }));
  const shown = { ...difference, actual: 'b', description: 'it differs' };
  const both = { interactionId: 'an-id', interactionDescription: 'a call' };
  expect(JSON.parse(post?.body ?? '')).toMatchObject({
    ...{ success: false, providerApplicationVersion: '1', buildUrl: by.buildUrl },
    testResults: [
      { ...both, success: false, exceptions, mismatches: [shown] },
      { ...both, success: true, exceptions: [] },
    ],
  });
});
