import { expect, test } from '@playwright/test';
import { lint } from '../../pacts/lint.ts';
import { localPacts } from '../../pacts/local.ts';
import { states } from '../../pacts/states.ts';
import { all, interaction, type Json, pactOf, request, response } from './made-up.ts';

/** What is said of a pact of one interaction, without its description. */
const output = (more: Json, pact?: Json): string[] =>
  lint(pactOf([interaction(more)], pact)).map((line) =>
    line.replace('"a request for the widgets": ', ''),
  );

/** An interaction that asks for one state. */
const inState = (name: string, params?: Json): Json => ({ providerStates: [{ name, params }] });

test('nothing is said of the pacts of this project', async () => {
  for (const { pact } of await localPacts()) expect(lint(pact)).toEqual([]);
});

test('nothing is said of a pact without a fault, whatever its version', () => {
  expect(output({})).toEqual([]);
  const old = {
    type: undefined,
    providerStates: undefined,
    request: request({ headers: {}, generators: {} }),
  };
  for (const version of ['1.0.0', '2.0.0', '3.0.0'])
    expect(output(old, { metadata: { pactSpecification: { version } } })).toEqual([]);
});

test('two interactions of one description are told apart by their states', () => {
  const one = interaction({ providerStates: [{ name: 'a valid token' }] });
  const other = interaction({ providerStates: [{ name: 'a token of nobody' }] });
  expect(lint(pactOf([one, other]))).toEqual([]);
  expect(lint(pactOf([one, other, one]))).toEqual([
    '"a request for the widgets": another interaction has the same description and states: call it otherwise',
  ]);
});

test.describe('of states', () => {
  test('one that the provider does not know is told with the nearest', () => {
    expect(output(inState('a valid tokn'))[0]).toBe(
      'the provider knows no state "a valid tokn": the nearest is "a valid token"',
    );
    expect(output(inState('a token made 24 hours ago'))[0]).toMatch(
      /the nearest is "a token made \{hours\} hours ago"$/,
    );
  });

  test('a name of what every object has is no state', () => {
    expect(output(inState('constructor'))[0]).toMatch(/^the provider knows no state "constructor"/);
  });

  const made = 'a token made {hours} hours ago';

  for (const hours of [0, 23, 24, 0.5, 8784])
    test(`a token of ${hours} hours can be had`, () => {
      expect(output(inState(made, { hours }))).toEqual([]);
    });

  for (const hours of [-1, 8785, '24', null, undefined])
    test(`a token of ${hours === undefined ? 'no' : JSON.stringify(hours)} hours is refused`, () => {
      expect(output(inState(made, { hours }))).toEqual([
        `the state "${made}" needs hours, a number from 0 to 8784`,
      ]);
    });

  test('a method is one of HTTP, in its own spelling', () => {
    const of = (params?: Json) =>
      output({
        providerStates: [{ name: 'a protected endpoint', params }, { name: 'a valid token' }],
        request: request({ path: '/public-api/v1/reports' }),
      });
    expect(of({ method: 'POST' })).toEqual([]);
    for (const params of [{ method: 'post' }, { method: 'READ' }, undefined])
      expect(of(params)).toEqual([
        'the state "a protected endpoint" needs method, one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      ]);
  });

  test('a parameter that a state does not take is refused', () => {
    expect(output(inState('a valid token', { hours: 2 }))).toEqual([
      'the state "a valid token" takes no hours: take it away',
    ]);
  });
});

test.describe('of a 401', () => {
  const refused = (name: string, params?: Json) =>
    output({
      ...inState(name, params),
      request: { method: 'GET', path: '/public-api/v1/reports' },
      response: { status: 401 },
    });

  for (const [name, { provesRefusal, parameters }] of Object.entries(states)) {
    const params =
      'hours' in parameters ? { hours: 24 } : 'method' in parameters ? { method: 'GET' } : {};
    test(`"${name}" ${provesRefusal ? 'shows' : 'does not show'} what its cause is`, () => {
      expect(refused(name, params)).toEqual(
        provesRefusal
          ? []
          : [
              expect.stringMatching(
                /^a 401 is expected, and no state shows what its cause is: ask for "a protected endpoint" or /,
              ),
            ],
      );
    });
  }

  for (const status of ['clientError', 'error', [401, 403]])
    test(`one that may be it is refused too: ${JSON.stringify(status)}`, () => {
      const rule = { match: 'statusCode', status };
      const response = { status: 403, matchingRules: { status: { $: all(rule) } } };
      const at = (path: string): string[] =>
        output({ ...inState('an account'), request: { method: 'POST', path }, response });
      expect(at('/public-api/v1/reports')).toEqual([
        expect.stringMatching(/^a 401 is expected, and no state shows what its cause is/),
      ]);
      expect(at('/public-api/v1/auth/token')).toEqual([]);
    });

  test('one without any state is refused', () => {
    expect(
      output({
        providerStates: [],
        request: { method: 'GET', path: '/public-api/v1/reports' },
        response: { status: 401 },
      }),
    ).toHaveLength(1);
  });
});

for (const path of [
  '/public-api/v2/widgets',
  '/api/v1/widgets',
  '/widgets',
  '/public-api/v1',
  '/public-api/v1/../v2/widgets',
  '/public-api/v1/%2e%2E/widgets',
])
  test(`the path ${path} is refused (VERSION-1)`, () => {
    expect(output({ request: request({ path }) })).toEqual([
      'its path does not lie below /public-api/v1/: begin with that, and leave out dots',
    ]);
  });

test('dots inside of a name lead nowhere', () => {
  expect(output({ request: request({ path: '/public-api/v1/widgets.v2/..a' }) })).toEqual([]);
});

test('a clause that is none is refused', () => {
  const comments = { references: { spec: { clause: ['BEARER-1', 'BEARER-99'] } } };
  expect(output({ comments })).toEqual([
    'there is no clause "BEARER-99": cite one of contract/clauses.ts',
  ]);
});

test.describe('of matching rules', () => {
  const matched = (...matchers: readonly Json[]) =>
    output({ response: response({ name: 'first' }, { '$.name': all(...matchers) }) });

  test('those that Pact knows are let be', () => {
    expect(
      matched(
        { match: 'type' },
        { match: 'type', min: 1, max: 2 },
        { match: 'regex', regex: '.+' },
        { match: 'datetime', format: 'yyyy' },
        { match: 'eachKey', rules: [{ match: 'regex', regex: '.+' }] },
        {
          match: 'arrayContains',
          variants: [{ index: 0, rules: { '$.id': all({ match: 'integer' }) } }],
        },
      ),
    ).toEqual([]);
  });

  const remedy = 'use one that Pact knows up to version 4 of its specification';

  for (const [what, rule] of [
    ['of its own', { match: 'uuid' }],
    ['inside a rule for keys', { match: 'eachKey', rules: [{ match: 'uuid' }] }],
    [
      'inside a variant',
      { match: 'arrayContains', variants: [{ rules: { '$.id': all({ match: 'uuid' }) } }] },
    ],
  ] as const)
    test(`an unknown one ${what} is refused`, () => {
      expect(matched(rule)).toEqual([
        `response.matchingRules has an unknown match "uuid": ${remedy}`,
      ]);
    });

  for (const [rule, amiss] of [
    [{ match: 'regex' }, 'a rule "regex" without regex'],
    [{ match: 'include' }, 'a rule "include" without value'],
    [{ match: 'contentType' }, 'a rule "contentType" without value'],
    [{ match: 'eachKey', rules: [] }, 'a rule "eachKey" without rules'],
    [{ match: 'each-value' }, 'a rule "each-value" without rules'],
    [{ match: 'arrayContains', variants: [] }, 'a rule "arrayContains" without variants'],
    [{ match: 'statusCode', status: 'fine' }, 'a rule "statusCode" without status'],
    [{ match: 'statusCode', status: ['200'] }, 'a rule "statusCode" without status'],
    [{ match: 'type', min: 'one' }, 'a bound that is no whole number'],
    [{ match: 'type', max: -1 }, 'a bound that is no whole number'],
  ] as const)
    test(`${JSON.stringify(rule)} is refused`, () => {
      expect(matched(rule)).toEqual([`response.matchingRules has ${amiss}: write one`]);
    });

  test('a status may be one of a kind, or one of a list', () => {
    for (const status of ['clientError', [200, 201]])
      expect(matched({ match: 'statusCode', status })).toEqual([]);
  });

  test('a status that may be any is refused', () => {
    const of = (rule: Json) =>
      output({ response: { status: 200, matchingRules: { status: { $: all(rule) } } } });
    for (const match of ['type', 'integer', 'number'])
      expect(of({ match })).toEqual([
        'response.matchingRules lets any status be right: name one, or use statusCode',
      ]);
    expect(of({ match: 'statusCode', status: 'success' })).toEqual([]);
    expect(of({ match: 'equality' })).toEqual([]);
  });

  test('one that does not say what it is is refused, but in the forms before version 3', () => {
    expect(matched({ pattern: '.+' })).toEqual([
      `response.matchingRules has a rule without a "match": ${remedy}`,
    ]);
    expect(matched({ min: 1 })).toEqual([]);
  });

  test('those of the forms before version 3 are looked at too', () => {
    const of = (rules: Json) =>
      output({ response: { status: 200, body: { name: 'first' }, matchingRules: rules } });
    expect(of({ '$.body.name': { match: 'type' }, '$.body.list': { min: 1 } })).toEqual([]);
    expect(of({ '$.body.name': { match: 'uuid' } })).toHaveLength(1);
    const oldest = { status: 200, responseMatchingRules: { '$.body.name': { match: 'uuid' } } };
    expect(output({ response: oldest })).toHaveLength(1);
  });

  test('those of a path, a header and a status are looked at too', () => {
    const wrong = all({ match: 'uuid' });
    const asked = request({ matchingRules: { path: wrong, header: { Accept: wrong } } });
    expect(output({ request: asked })).toHaveLength(2);
    expect(
      output({ response: { status: 200, matchingRules: { status: { $: wrong } } } }),
    ).toContain(`response.matchingRules has an unknown match "uuid": ${remedy}`);
  });
});

test.describe('of generators', () => {
  test('one of a state is refused in an answer whose example Pact would compare', () => {
    const providerStates = [{ name: 'an account' }];
    const generators = { body: { '$.key': { type: 'ProviderState', expression: '${apiKey}' } } };
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

  test('an unknown one is refused', () => {
    const odd = { status: 200, generators: { body: { '$.id': { type: 'Snowflake' } } } };
    expect(output({ response: odd })).toEqual([
      'response.generators has an unknown type "Snowflake": use one that Pact knows up to version 4 of its specification',
    ]);
    const nameless = { status: 200, generators: { body: { '$.id': {} } } };
    expect(output({ response: nameless })[0]).toMatch(
      /^response\.generators has a rule without a "type"/,
    );
  });

  test('one that draws a value is refused in a request alone', () => {
    const generators = { body: { '$.id': { type: 'RandomInt' } } };
    expect(output({ response: { status: 200, generators } })).toEqual([]);
    expect(
      output({
        request: { method: 'POST', path: '/public-api/v1/reports', body: { id: 1 }, generators },
      }),
    ).toEqual([
      'request.generators has RandomInt, which sends another value each time: give an example',
    ]);
  });
});
