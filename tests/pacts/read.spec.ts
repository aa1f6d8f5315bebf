import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { openBroker } from '../../pacts/broker/broker.ts';
import { brokerPacts } from '../../pacts/broker/source.ts';
import { localPacts } from '../../pacts/local.ts';
import { PactError, readPact } from '../../pacts/pact.ts';
import { serveBroker } from './fake-broker.ts';
import { callWithToken, type Json, jsonBody, pactOf, sourceOf, textOf } from './pact-builder.ts';
import { verifying } from './verifying.ts';

/* How pacts are read, from texts, files and a broker. */

const call = callWithToken();
const version = (specification: string): Json => ({
  metadata: { pactSpecification: { version: specification } },
});
const plugin = { metadata: { plugins: [{ name: 'protobuf', version: '0.3' }] } };

for (const [why, text] of [
  ['it is not JSON', 'widgets'],
  ['it is no pact: a pact is a JSON object', '[]'],
  ['it names no consumer: consumer.name is missing', '{}'],
  ['it is of specification 5.0: 1 to 4 can be verified here', textOf([call], version('5.0'))],
  ['it is of specification 5 of: 1 to 4 can be verified here', textOf([call], version('5\nof'))],
  ["it needs the plugin protobuf: write it with Pact's own matchers", textOf([call], plugin)],
  [
    'it holds messages: only Synchronous/HTTP can be verified here',
    textOf([], { messages: [{ description: 'a message' }], ...version('3.0.0') }),
  ],
  ['it is empty: it has no interactions', textOf([])],
] as const)
  test(`a pact is refused if ${why}`, () => {
    expect(readPact(text).interactions).toMatchObject([
      { description: 'the whole pact', problem: why },
    ]);
  });

const wrong: readonly (readonly [why: string, interaction: unknown])[] = [
  ['it is no JSON object', []],
  ['it has no description', { ...call, description: '' }],
  [
    'it is of the type Graph: only Synchronous/HTTP can be verified here',
    { ...call, type: 'Graph' },
  ],
  ['it has a request without a method', { ...call, request: { path: '/' } }],
  ['it has a request without a path', { ...call, request: { method: 'GET' } }],
  ['it has a response without a status', { ...call, response: { status: '200' } }],
  ['it has providerStates that are no list', { ...call, providerStates: 'a valid token' }],
  ['it has a state without a name', { ...call, providerStates: ['a valid token'] }],
  [
    'it has a state whose params are no object: a token',
    { ...call, providerStates: [{ name: 'a token', params: [24] }] },
  ],
];

test('an interaction that cannot be read is refused alone, with its reason', () => {
  const { pact } = pactOf(call, ...wrong.map(([, one]) => one));
  const problems = pact.interactions.map(({ problem }) => problem);
  expect(problems).toEqual([undefined, ...wrong.map(([why]) => why)]);
});

test('a pact of version 4 is read, without its messages', () => {
  const message = { description: 'a message', type: 'Asynchronous/Messages' };
  const states = [{ name: 'a token made {hours} hours ago', params: { hours: 23 } }];
  const one = {
    ...call,
    comments: { references: { spec: { clause: ['BEARER-1', 'EXPIRY-1'] } } },
    providerStates: states,
  };
  expect(pactOf(one, message).pact).toMatchObject({
    consumer: 'a-consumer',
    specification: 4,
    interactions: [
      {
        states: [{ name: 'a token made some hours ago', parameters: { hours: 23 } }],
        clauses: ['BEARER-1', 'EXPIRY-1'],
        pending: false,
        path: '/public-api/v1/widgets',
        status: 200,
      },
    ],
    messages: ['a message'],
  });
});

for (const [what, more, states] of [
  ['version 1', { provider_state: 'an account' }, ['an account']],
  ['version 2', { providerState: 'an account' }, ['an account']],
  ['version 2 with no state', { providerState: null }, []],
  ['version 3 with no state', { providerStates: null }, []],
  ['version 3', { providerStates: [{ name: 'an account' }, { name: 'x' }] }, ['an account', 'x']],
] as const)
  test(`a state of ${what} is read`, () => {
    const old = { ...call, type: undefined, providerStates: undefined, ...more };
    const { specification, interactions } = readPact(textOf([old], version(`${what[8]}.0.0`)));
    expect(specification).toBe(Number(what[8]));
    expect(interactions[0]?.states.map(({ name }) => name)).toEqual(states);
  });

test('other ways to state the version are read, and a missing version is version 3', () => {
  const of = (metadata: unknown) => readPact(textOf([call], { metadata })).specification;
  expect(of({ 'pact-specification': { version: '2.0.0' } })).toBe(2);
  expect(of({ pactSpecificationVersion: '1.1.0' })).toBe(1);
  expect(of(undefined)).toBe(3);
});

test('a single clause, a lower-case method and a byte order mark are read', () => {
  const one = {
    ...call,
    comments: { references: { spec: { clause: 'BEARER-1' } } },
    request: { method: 'get', path: '/' },
  };
  const { interactions } = readPact(`\uFEFF${textOf([one])}`);
  expect(interactions[0]).toMatchObject({ clauses: ['BEARER-1'], method: 'GET' });
});

test('a number in a state keeps its spelling for the state handler, and is a number in our states', () => {
  const params = '{"id":9007199254740993,"price":1.0}';
  const states = `[{"name":"a widget","params":${params}},
    {"name":"a token made some hours ago","params":{"hours":24.0}}]`;
  const text = textOf([{ ...call, providerStates: 'here' }]).replace('"here"', states);
  const [widget, token] = readPact(text).interactions[0]?.states ?? [];
  expect(JSON.stringify(widget?.parameters)).toBe(params);
  expect(token?.parameters).toEqual({ hours: 24 });
});

/** A pact whose response contains a number in the given notation. */
const withNumber = (spelling: string) => {
  const body = jsonBody({ n: 'THE NUMBER' });
  const text = textOf([callWithToken('a number', ['a valid token'], { body })]);
  return sourceOf(text.replace('"THE NUMBER"', spelling));
};

for (const [spelling, other] of [
  ['1.0', '1.5'],
  ['9007199254740993', '9007199254740992'],
] as const)
  test(`a pact expects the number ${spelling}, and ${other} does not match`, async () => {
    for (const [number, ending] of [
      [spelling, 'verified'],
      [other, 'failed'],
    ] as const) {
      const answer = {
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: `{"n":${number}}`,
      };
      const provider = { authorised: () => answer };
      expect((await verifying(withNumber(spelling), { provider })).endings).toEqual([ending]);
    }
  });

test("a pact from a broker keeps the broker's spelling", async () => {
  const document = JSON.stringify(withNumber('100.0').pact.interactions[0]?.document);
  expect(document).toContain('"n":100.0');
  await using server = await serveBroker({ body: textOf([{}]).replace('{}', document) });
  const broker = await openBroker({ baseUrl: new URL(server.url), timeoutMs: 5000 });
  const selection = { provider: 'public-api', branch: 'main', selectors: [] };
  const pactUrl = new URL('/pact', server.url);
  const { sources } = await brokerPacts(broker, { ...selection, pactUrl });
  expect(JSON.stringify(sources[0]?.pact.interactions[0]?.document)).toBe(document);
});

test('files and folders are read in the order of their paths, and each once', async () => {
  const folder = test.info().outputPath();
  const [one = '', two = '', notes = ''] = ['one.json', 'two.json', 'notes.txt'].map((name) =>
    path.join(folder, name),
  );
  for (const file of [two, one, notes]) writeFileSync(file, textOf([call]));
  const found = await localPacts('public-api', [two, folder]);
  expect(found.map(({ from }) => path.resolve(from))).toEqual([one, two]);
});

test('a missing file, a folder without a pact, or a pact of another provider is reported', async () => {
  const folder = test.info().outputPath();
  const missing = path.join(folder, 'missing.json');
  const refusal = (place: string) => expect(localPacts('public-api', [place])).rejects;
  const none =
    "no such file or folder; without names PACT_BROKER_BASE_URL selects a broker's pacts";
  await refusal(missing).toThrow(new PactError(`${missing}: ${none}`));
  await refusal(folder).toThrow(new PactError(`${folder}: the folder holds no pact (*.json)`));
  const other = path.join(folder, 'other.json');
  writeFileSync(other, textOf([call], { provider: { name: 'billing' } }));
  await refusal(other).toThrow(
    /other\.json: its provider is "billing", not "public-api": set PACT_PROVIDER/,
  );
  expect(await localPacts('billing', [other])).toHaveLength(1);
});
