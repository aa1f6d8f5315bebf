import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openBroker } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/pacts.ts';
import { localPacts } from '../../pacts/local.ts';
import { acceptsStatus, PactError, readPact } from '../../pacts/pact.ts';
import { canonicalState } from '../../pacts/states.ts';
import { serveBroker } from './fake-server.ts';
import { callWithToken, jsonBody, ofClass, pactOf, sourceOf, textOf } from './pact-builder.ts';
import { verifying } from './verifying.ts';

/* How pacts are read, from texts, files and a broker. */

const call = callWithToken();
const ofVersion = (version: string) => ({ metadata: { pactSpecification: { version } } });
const plugin = { metadata: { plugins: [{ name: 'protobuf', version: '0.3' }] } };
const messages = { messages: [{ description: 'a message' }], ...ofVersion('3.0.0') };

for (const [why, text] of [
  ['it is no pact: a pact is a JSON object', 'widgets'],
  ['it names no consumer: consumer.name is missing', '{}'],
  ['it names no provider: provider.name is missing', textOf([call], { provider: {} })],
  ['it is of specification 5 of: 1 to 4 can be verified here', textOf([call], ofVersion('5\nof'))],
  ["it needs the plugin protobuf: write it with Pact's own matchers", textOf([call], plugin)],
  ['it has no interactions of the type Synchronous/HTTP', textOf([], messages)],
] as const)
  test(`a pact is refused if ${why}`, () => {
    const whole = { description: 'the whole pact', problem: why };
    const provider = expect.stringMatching(/^(us|public-api)$/);
    expect(readPact(text, 'us')).toMatchObject({ provider, interactions: [whole] });
  });

test('an interaction that cannot be read is refused alone, with its reason', () => {
  const listed = (...providerStates: unknown[]) => ({ ...call, providerStates });
  const wrong = {
    'it is no JSON object': [],
    'it has no description': { ...call, description: '' },
    'it is of the type Graph: only Synchronous/HTTP can be verified here': {
      ...{ ...call, type: 'Graph' },
    },
    'it has a request without a method': { ...call, request: { path: '/' } },
    'it has a request without a path': { ...call, request: { method: 'GET' } },
    'it has a response without a status': { ...call, response: { status: '200' } },
    'it has providerStates that are no list': { ...call, providerStates: 'a valid token' },
    'it has a state without a name, or whose params are no object': listed({
      name: 'x',
      params: [24],
    }),
  };
  const problems = pactOf(call, ...Object.values(wrong)).pact.interactions.map(
    (interaction) => interaction.problem,
  );
  expect(problems).toEqual([undefined, ...Object.keys(wrong)]);
});

test('a pact of version 4 is read, without its messages', () => {
  const message = { description: 'a message', type: 'Asynchronous/Messages' };
  const clause = ['BEARER-1', 'EXPIRY-1'];
  const interaction = { ...call, _id: 'an-id', comments: { references: { spec: { clause } } } };
  const read = {
    id: 'an-id',
    document: expect.not.objectContaining({ _id: 'an-id' }),
    clauses: clause,
    pending: false,
    path: '/public-api/v1/widgets',
    status: 200,
  };
  expect(pactOf(interaction, message).pact).toMatchObject({
    ...{ consumer: 'a-consumer', specification: 4, messages: ['a message'] },
    interactions: [{ ...read, states: [{ name: 'a valid token', parameters: {} }] }],
  });
});

for (const [what, more, states] of [
  ['version 1', { provider_state: 'an account' }, ['an account']],
  ['version 2', { providerState: 'a token made 24 hours ago' }, ['a token made some hours ago']],
  ['version 2 with no state', { providerState: null }, []],
  ['version 3 with no state', { providerStates: null }, []],
  ['version 3', { providerStates: [{ name: 'an account' }, { name: 'x' }] }, ['an account', 'x']],
] as const)
  test(`a state of ${what} is read`, () => {
    const old = { ...call, type: undefined, providerStates: undefined, ...more };
    const { specification, interactions } = readPact(textOf([old], ofVersion(`${what[8]}.0.0`)));
    expect(specification).toBe(Number(what[8]));
    expect(interactions[0]?.states.map(({ name }) => name)).toEqual(states);
  });

test('a token has the hours of the parameters, or else of the name of its state', () => {
  const read = (name: string, parameters = {}) => canonicalState({ name, parameters }).parameters;
  expect(read('a token made 1 hour ago').hours).toBe(1);
  expect(read('a token made 0.5 hours ago').hours).toBe(0.5);
  expect(read('a token made 0.5 hours ago', { hours: '2' }).hours).toBe('2');
  expect(read('a token made {hours} hours ago').hours).toBeUndefined();
});

test('a rule for statuses accepts those of its class or list', () => {
  const rules = ['clientError', 'serverError', 'error', 'nonError', [401, 404]];
  const reads = pactOf(...rules.map((rule) => callWithToken('x', [], ofClass(rule)))).pact;
  const accepting = (status: number) =>
    reads.interactions.map((interaction) => acceptsStatus(interaction, status));
  expect(accepting(401)).toEqual([true, false, true, false, true]);
  expect(accepting(503)).toEqual([false, true, true, false, false]);
});

test('other ways to state the version, a single clause, a lower-case method and a byte order mark are read', () => {
  const of = (metadata: unknown) => readPact(textOf([call], { metadata })).specification;
  expect(of({ 'pact-specification': { version: '2.0.0' } })).toBe(2);
  expect(of({ pactSpecificationVersion: '1.1.0' })).toBe(1);
  expect(of(undefined)).toBe(3);
  expect(readPact(textOf([call], messages)).messages).toEqual(['a message']);
  const comments = { references: { spec: { clause: 'BEARER-1' } } };
  const interaction = { ...call, comments, request: { method: 'get', path: '/' } };
  const read = { clauses: ['BEARER-1'], method: 'GET' };
  expect(readPact(`\uFEFF${textOf([interaction])}`).interactions).toMatchObject([read]);
});

/** A pact whose response contains a number in the given notation. */
const withNumber = (spelling: string) => {
  const body = jsonBody({ n: 'THE NUMBER' });
  const text = textOf([callWithToken('a number', ['a valid token'], { body })]);
  return sourceOf(text.replace('"THE NUMBER"', spelling));
};

test('a pact expects the exact number that it holds', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const expected = withNumber('9007199254740993');
  for (const [number, ending] of [
    ['9007199254740993', 'verified'],
    ['9007199254740992', 'failed'],
  ] as const) {
    const authorised = () => ({ status: 200, headers, body: `{"n":${number}}` });
    expect((await verifying(expected, { provider: { authorised } })).endings).toEqual([ending]);
  }
});

test("a pact from a broker keeps the broker's spelling, and must be of this provider", async () => {
  const document = JSON.stringify(withNumber('100.0').pact.interactions[0]?.document);
  expect(document).toContain('"n":100.0');
  await using server = await serveBroker(() => ({ body: textOf([{}]).replace('{}', document) }));
  const broker = await openBroker({ baseUrl: new URL(server.url), timeoutMs: 5000 });
  const selection = { branch: 'main', selectors: [], pactUrl: new URL('/pact', server.url) };
  const [source] = await brokerPacts(broker, { ...selection, provider: 'public-api' });
  expect(JSON.stringify(source?.pact.interactions[0]?.document)).toBe(document);
  const stranger = brokerPacts(broker, { ...selection, provider: 'another' });
  await expect(stranger).rejects.toThrow('its provider is "public-api", not "another"');
});

test('files and folders are read once each, in the order of their paths, for one provider', async () => {
  const folder = test.info().outputPath();
  const read = (...places: string[]) => localPacts('public-api', places);
  const none =
    "no such file or folder; without names PACT_BROKER_BASE_URL selects a broker's pacts";
  const missing = path.join(folder, 'missing.json');
  await expect(read(missing)).rejects.toThrow(new PactError(`${missing}: ${none}`));
  const empty = new PactError(`${folder}: the folder holds no pact (*.json)`);
  await expect(read(folder)).rejects.toThrow(empty);
  const put = (name: string, provider: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, textOf([call], { provider: { name: provider } }));
    return file;
  };
  mkdirSync(path.join(folder, 'folder.json'));
  await expect(read(folder)).rejects.toThrow(/folder\.json: it cannot be read \(EISDIR\)/);
  rmdirSync(path.join(folder, 'folder.json'));
  const other = put('other.json', 'npm_0123456789');
  const found = 'no pact of the provider "public-api", but of "[secret]": set PACT_PROVIDER_NAME';
  await expect(read(other)).rejects.toThrow(found);
  const [two, interaction] = [put('two.json', 'public-api'), put('one.json', 'public-api')];
  put('notes.txt', 'public-api');
  const { sources, notes } = await read(two, folder);
  expect(sources.map(({ from }) => path.resolve(from))).toEqual([interaction, two]);
  expect(notes).toEqual([expect.stringMatching(/other\.json: passed over, its provider is "\[s/)]);
});
