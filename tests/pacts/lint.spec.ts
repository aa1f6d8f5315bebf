import { expect, test } from '@playwright/test';
import { lint } from '../../pacts/lint.ts';
import { localPacts } from '../../pacts/local.ts';
import { states } from '../../pacts/states.ts';
import {
  all,
  fromState,
  interaction,
  type Json,
  output,
  pactOf,
  request,
  response,
} from './made-up.ts';

/** The part of an interaction that requires one provider state. */
const inState = (name: string, params?: Json): Json => ({ providerStates: [{ name, params }] });

test('the pacts of this project have no errors', async () => {
  for (const { pact } of await localPacts('public-api')) expect(lint(pact)).toEqual([]);
});

test('two interactions with one description are distinguished by their states', () => {
  const one = interaction({ providerStates: [{ name: 'a valid token' }] });
  const other = interaction({ providerStates: [{ name: 'a token of nobody' }] });
  expect(lint(pactOf([one, other]))).toEqual([]);
  expect(lint(pactOf([one, other, one])).map(({ line }) => line)).toEqual([
    '"a request for the widgets": another interaction has the same description and states: give it a description of its own',
  ]);
});

test.describe('for states', () => {
  const made = 'a token made some hours ago';
  const needsHours = `the state "${made}" needs hours, a number from 0 to 8784`;
  const meant = 'the state "a valid tokn" is for a state handler: is "a valid token" meant?';

  const cases: [name: string, params?: Json, line?: string][] = [
    // A state that this project does not know is for the state handler, unless it is nearly one of ours.
    ['a widget with a price'],
    ['a valid tokn', undefined, `warning: ${meant}`],
    ['a valid token', { hours: 2 }, 'the state "a valid token" takes no hours: take it away'],
    ['a token made 0.5 hours ago'],
    ['a token made 8785 hours ago', undefined, needsHours],
    ['a token made {hours} hours ago', { hours: 24 }],
    [made, { hours: 0 }],
    [made, { hours: 8784 }],
    ...[-1, '24', undefined].map((hours): [string, Json, string] => [made, { hours }, needsHours]),
  ];

  for (const [name, params, line] of cases)
    test(`"${name}" ${JSON.stringify(params) ?? 'alone'} is ${line === undefined ? 'accepted' : 'remarked upon'}`, () => {
      expect(output(inState(name, params))).toEqual(line === undefined ? [] : [line]);
    });

  test('a method must be an HTTP method in its exact spelling', () => {
    const of = (params?: Json) =>
      output({
        providerStates: [{ name: 'a protected endpoint', params }, { name: 'a valid token' }],
        request: request({ path: '/public-api/v1/reports' }),
      });
    expect(of({ method: 'POST' })).toEqual([]);
    expect(of()).toEqual([]);
    expect(of({ method: 'post' })).toEqual([
      'the state "a protected endpoint" needs method, one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
    ]);
  });
});

test.describe('for a 401', () => {
  const refused = (name: string, params?: Json) =>
    output({
      ...inState(name, params),
      request: { method: 'GET', path: '/public-api/v1/reports' },
      response: { status: 401 },
    });

  const noCause =
    /^a 401 is expected, and no state shows what its cause is: ask for "a protected endpoint" or /;

  for (const [name, { provesRefusal, parameters }] of Object.entries(states)) {
    const params =
      'hours' in parameters ? { hours: 24 } : 'method' in parameters ? { method: 'GET' } : {};
    test(`"${name}" ${provesRefusal ? 'proves' : 'does not prove'} its cause`, () => {
      expect(refused(name, params)).toEqual(provesRefusal ? [] : [expect.stringMatching(noCause)]);
    });
  }

  for (const status of ['clientError', [401, 403]])
    test(`a status that may be 401 is refused too: ${JSON.stringify(status)}`, () => {
      const rule = { match: 'statusCode', status };
      const response = { status: 403, matchingRules: { status: { $: all(rule) } } };
      const at = (path: string): string[] =>
        output({ ...inState('an account'), request: { method: 'POST', path }, response });
      expect(at('/public-api/v1/reports')).toEqual([expect.stringMatching(noCause)]);
      expect(at('/public-api/v1/auth/token')).toEqual([]);
    });

  test('a 401 without any state is refused, except for wrong credentials at the token endpoint', () => {
    const at = (path: string): string[] =>
      output({ providerStates: [], request: { method: 'GET', path }, response: { status: 401 } });
    expect(at('/public-api/v1/reports')).toHaveLength(1);
    expect(at('/public-api/v1/auth/token')).toEqual([]);
  });
});

for (const path of [
  ...['/public-api/v2/widgets', '/public-api/v1', '/public-api/v1/../v2/widgets'],
  '/public-api/v1/%2e%2E/widgets',
])
  test(`the path ${path} is refused (VERSION-1)`, () => {
    expect(output({ request: request({ path }) })).toEqual([
      'its path does not lie below /public-api/v1/: begin with that, and leave out dots',
    ]);
  });

test('dots inside a name are not path segments', () => {
  expect(output({ request: request({ path: '/public-api/v1/widgets.v2/..a' }) })).toEqual([]);
});

test('an unknown clause is a warning', () => {
  const comments = { references: { spec: { clause: ['BEARER-1', 'BEARER-99'] } } };
  expect(output({ comments })).toEqual([
    'warning: there is no clause "BEARER-99": cite one of contract/clauses.ts',
  ]);
});

test.describe('for matching rules', () => {
  const variant = (match: string): Json => ({
    match: 'arrayContains',
    variants: [{ index: 0, rules: { '$.id': all({ match }) } }],
  });
  const remedy = 'use one that Pact knows up to version 4 of its specification';
  const unknown = `an unknown match "uuid": ${remedy}`;
  const noStatus = 'a rule "statusCode" without status: write one';
  const noBound = 'a bound that is no whole number: write one';

  const cases: [rule: Json, complaint?: string][] = [
    [{ match: 'type' }],
    [{ match: 'type', min: 1, max: 2 }],
    [{ match: 'type', min: 'one' }, noBound],
    [{ min: 1 }],
    [{ match: 'regex' }, 'a rule "regex" without regex: write one'],
    [{ match: 'include' }, 'a rule "include" without value: write one'],
    [{ match: 'eachKey', rules: [] }, 'a rule "eachKey" without rules: write one'],
    [{ match: 'eachKey', rules: [{ match: 'uuid' }] }, unknown],
    [variant('integer')],
    [variant('uuid'), unknown],
    [
      { match: 'arrayContains', variants: [] },
      'a rule "arrayContains" without variants: write one',
    ],
    [{ match: 'uuid' }, unknown],
    [{ match: 'statusCode', status: 'clientError' }],
    [{ match: 'statusCode', status: [200, 201] }],
    [{ match: 'statusCode', status: 'fine' }, noStatus],
    // A rule without a type is refused, except in the formats before version 3.
    [{ pattern: '.+' }, `a rule without a "match": ${remedy}`],
  ];

  for (const [rule, complaint] of cases)
    test(`${JSON.stringify(rule)} is ${complaint === undefined ? 'accepted' : 'refused'}`, () => {
      expect(output({ response: response({ name: 'first' }, { '$.name': all(rule) }) })).toEqual(
        complaint === undefined ? [] : [`response.matchingRules has ${complaint}`],
      );
    });

  test('a status that may have any value is refused', () => {
    const of = (rule: Json) =>
      output({ response: { status: 200, matchingRules: { status: { $: all(rule) } } } });
    expect(of({ match: 'type' })).toEqual([
      'response.matchingRules lets any status be right: name one, or use statusCode',
    ]);
    expect(of({ match: 'statusCode', status: 'success' })).toEqual([]);
    expect(of({ match: 'equality' })).toEqual([]);
  });

  test('rules in the formats before version 3 are checked too', () => {
    const of = (rules: Json) =>
      output({ response: { status: 200, body: { name: 'first' }, matchingRules: rules } });
    expect(of({ '$.body.name': { match: 'type' }, '$.body.list': { min: 1 } })).toEqual([]);
    expect(of({ '$.body.name': { match: 'uuid' } })).toHaveLength(1);
    const oldest = { status: 200, responseMatchingRules: { '$.body.name': { match: 'uuid' } } };
    expect(output({ response: oldest })).toHaveLength(1);
  });

  test('rules for a path, a header and a status are checked too', () => {
    const wrong = all({ match: 'uuid' });
    const faulty = request({ matchingRules: { path: wrong, header: { Accept: wrong } } });
    expect(output({ request: faulty })).toHaveLength(2);
    expect(
      output({ response: { status: 200, matchingRules: { status: { $: wrong } } } }),
    ).toContain(`response.matchingRules has an unknown match "uuid": ${remedy}`);
  });
});

test.describe('for generators', () => {
  test('a state generator is refused in an answer whose example Pact would compare', () => {
    const providerStates = [{ name: 'an account' }];
    const generators = { body: { '$.key': fromState('${apiKey}') } };
    const of = (rules: Json) =>
      output({
        providerStates,
        request: { method: 'GET', path: '/public-api/v1/widgets' },
        response: response({ key: '<API_KEY>' }, rules, { generators }),
      });
    expect(of({ '$.key': all({ match: 'type' }) })).toEqual([]);
    expect(of({})).toEqual([
      'response.body.content.key is compared with its example, and not with what a state gives: match its type',
    ]);
  });

  test('an unknown generator is refused', () => {
    const odd = { status: 200, generators: { body: { '$.id': { type: 'Snowflake' } } } };
    expect(output({ response: odd })).toEqual([
      'response.generators has an unknown type "Snowflake": use one that Pact knows up to version 4 of its specification',
    ]);
  });

  test('a generator of random values is a warning in a request only', () => {
    const generators = { body: { '$.id': { type: 'RandomInt' } } };
    expect(output({ response: { status: 200, generators } })).toEqual([]);
    expect(
      output({
        request: { method: 'POST', path: '/public-api/v1/reports', body: { id: 1 }, generators },
      }),
    ).toEqual([
      'warning: request.generators has RandomInt, which sends another value each time: give an example',
    ]);
  });
});
