import { expect, test } from '@playwright/test';
import { readPact } from '../../pacts/pact.ts';
import { interaction, type Json, pactOf, pactText, request } from './made-up.ts';

const version = (specification: string): Json => ({
  metadata: { pactSpecification: { version: specification } },
});

for (const [why, ...texts] of [
  ['it is not JSON', 'widgets'],
  ['it is no pact: a pact is a JSON object', '[]'],
  [
    'it names no consumer: consumer.name is missing',
    '{}',
    pactText([interaction()], { consumer: undefined }),
  ],
  [
    'it is of specification 5.0: 1 to 4 can be verified here',
    pactText([interaction()], version('5.0')),
  ],
  [
    'it is of specification latest: 1 to 4 can be verified here',
    pactText([interaction()], version('latest')),
  ],
  [
    "it needs the plugin protobuf: write it with Pact's own matchers",
    pactText([interaction()], { metadata: { plugins: [{ name: 'protobuf', version: '0.3' }] } }),
  ],
  [
    'it holds messages: only Synchronous/HTTP can be verified here',
    pactText([], { messages: [{ description: 'a message' }], ...version('3.0.0') }),
  ],
  [
    'it is empty: it has no interactions',
    pactText([]),
    pactText([], { interactions: { one: interaction() } }),
  ],
] as const)
  test(`a pact is refused if ${why}`, () => {
    for (const text of texts)
      expect(readPact(text).interactions).toMatchObject([
        { description: 'the whole pact', problem: why },
      ]);
  });

for (const [why, one] of [
  ['it is no JSON object', []],
  ['it has no description', interaction({ description: '' })],
  [
    'it is of the type Graph: only Synchronous/HTTP can be verified here',
    interaction({ type: 'Graph' }),
  ],
  ['it has a request without a method', interaction({ request: request({ method: undefined }) })],
  ['it has a response without a status', interaction({ response: { status: '200' } })],
  ['it has providerStates that are no list', interaction({ providerStates: 'a valid token' })],
  ['it has a state without a name', interaction({ providerStates: ['a valid token'] })],
  [
    'it has a state whose params are no object: a valid token',
    interaction({ providerStates: [{ name: 'a valid token', params: [24] }] }),
  ],
] as const)
  test(`an interaction is refused alone if ${why}`, () => {
    const { interactions } = pactOf([one, interaction()]);
    expect(interactions.map(({ problem }) => problem)).toEqual([why, undefined]);
  });

test('an error is one line, whatever it quotes', () => {
  const { interactions } = readPact(pactText([interaction()], version('5\nof')));
  expect(interactions[0]?.problem).toMatch(/^.*5 of: .*$/);
});

test('messages beside requests are left out by name', () => {
  const message = interaction({ type: 'Asynchronous/Messages', request: undefined });
  const { interactions, messages } = pactOf([interaction(), message], {
    messages: [{ description: 'an older one' }],
  });
  expect([interactions.length, messages]).toEqual([
    1,
    ['an older one', 'a request for the widgets'],
  ]);
});

test('a pact of version 4 is read', () => {
  const comments = { references: { spec: { clause: ['BEARER-1', 'EXPIRY-1'] } } };
  const states = [{ name: 'a token made {hours} hours ago', params: { hours: 23 } }];
  const document = interaction({ comments, providerStates: states });
  expect(pactOf([document])).toMatchObject({
    consumer: 'widget-report',
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
    const old = interaction({ type: undefined, providerStates: undefined, ...more });
    const { specification, interactions } = pactOf([old], version(`${what.charAt(8)}.0.0`));
    expect(specification).toBe(Number(what.charAt(8)));
    expect(interactions[0]?.states.map(({ name }) => name)).toEqual(states);
  });

test('a number in a state keeps its spelling for the state handler, and is a number in our states', () => {
  const params = '{"id":9007199254740993,"price":1.0}';
  const states = `[{"name":"a widget","params":${params}},
    {"name":"a token made some hours ago","params":{"hours":24.0}}]`;
  const text = pactText([interaction({ providerStates: 'here' })]).replace('"here"', states);
  const [widget, token] = readPact(text).interactions[0]?.states ?? [];
  expect(JSON.stringify(widget?.parameters)).toBe(params);
  expect(token?.parameters).toEqual({ hours: 24 });
});

test('other ways to state the version are read, and a missing version is version 3', () => {
  const of = (metadata: unknown) => pactOf([interaction({ type: undefined })], { metadata });
  expect(of({ 'pact-specification': { version: '2.0.0' } }).specification).toBe(2);
  expect(of({ pactSpecificationVersion: '1.1.0' }).specification).toBe(1);
  expect(of({}).specification).toBe(3);
  expect(of(undefined).specification).toBe(3);
});

test('a single clause, a lower-case method and a byte order mark are read', () => {
  const document = interaction({
    comments: { references: { spec: { clause: 'BEARER-1' } } },
    request: request({ method: 'get' }),
  });
  const { interactions } = readPact(`\uFEFF${pactText([document])}`);
  expect(interactions[0]).toMatchObject({ clauses: ['BEARER-1'], method: 'GET' });
});
