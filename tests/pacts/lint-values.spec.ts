import { expect, test } from '@playwright/test';
import { lint } from '../../pacts/lint.ts';
import { all, interaction, type Json, pactOf, request, response } from './made-up.ts';

/** What is said of a pact of one interaction, without its description. */
const output = (more: Json, pact?: Json): string[] =>
  lint(pactOf([interaction(more)], pact)).map((line) =>
    line.replace('"a request for the widgets": ', ''),
  );

const fromState = (expression: string): Json => ({ type: 'ProviderState', expression });

/** Keeps what the rules of the house look for from being found in this file. */
const joined = (...parts: readonly string[]): string => parts.join('');

test.describe('for values from a state', () => {
  const exchange = { method: 'POST', path: '/public-api/v1/auth/token' };
  const body = { apiKey: '<API_KEY>', secretKey: '<SECRET_KEY>' };
  const account = [{ name: 'an account' }];

  test('a placeholder without a value is refused, in every part of a request', () => {
    const remedy = 'which nothing fills in: write fromProviderState';
    expect(output({ request: request({ generators: {} }) })).toEqual([
      `request.headers.Authorization[0] holds <ACCESS_TOKEN>, ${remedy}('Bearer \${accessToken}', 'Bearer <ACCESS_TOKEN>')`,
    ]);
    expect(output({ providerStates: account, request: { ...exchange, body } })).toEqual([
      `request.body.apiKey holds <API_KEY>, ${remedy}('\${apiKey}', '<API_KEY>')`,
      `request.body.secretKey holds <SECRET_KEY>, ${remedy}('\${secretKey}', '<SECRET_KEY>')`,
    ]);
    const query = { token: ['<ACCESS_TOKEN>'] };
    expect(output({ request: request({ query }) })).toHaveLength(1);
    const path = '/public-api/v1/widgets/<ACCESS_TOKEN>';
    expect(output({ request: request({ path }) })).toHaveLength(1);
  });

  test('a placeholder with a value is accepted, also in a header of another case and by a bare name', () => {
    const generators = {
      body: { '$.apiKey': fromState('apiKey'), "$['secretKey']": fromState('${secretKey}') },
    };
    expect(output({ providerStates: account, request: { ...exchange, body, generators } })).toEqual(
      [],
    );
    const lower = { header: { authorization: fromState('Bearer ${accessToken}') } };
    expect(output({ request: request({ generators: lower }) })).toEqual([]);
  });

  test('a generator of a list applies to each of its members', () => {
    const generators = { body: { '$[*].key': fromState('${apiKey}') } };
    const listed = { ...exchange, body: [{ key: '<API_KEY>' }, { key: '<API_KEY>' }], generators };
    expect(output({ providerStates: account, request: listed })).toEqual([]);
  });

  test('a generator elsewhere has no effect', () => {
    const header = { Accept: fromState('Bearer ${accessToken}') };
    expect(output({ request: request({ generators: { header } }) })).toHaveLength(1);
    const misspelt = { headers: { Authorization: fromState('Bearer ${accessToken}') } };
    expect(output({ request: request({ generators: misspelt }) })).toHaveLength(1);
  });

  test('a placeholder before version 3 is refused, since it cannot get a value', () => {
    const old = { type: undefined, providerStates: undefined, providerState: 'a valid token' };
    const faulty = request({
      headers: { Authorization: 'Bearer <ACCESS_TOKEN>' },
      generators: undefined,
    });
    const version = { metadata: { pactSpecification: { version: '2.0.0' } } };
    expect(output({ ...old, request: faulty }, version)).toHaveLength(1);
  });

  test('an endpoint path from a state is used', () => {
    const providerStates = [
      { name: 'a protected endpoint', params: { method: 'GET' } },
      { name: 'a valid token' },
    ];
    expect(output({ providerStates })).toEqual([
      "request.path holds /public-api/v1/widgets, which nothing fills in: write fromProviderState('${path}', '/public-api/v1/widgets')",
    ]);
    const path = fromState('${path}');
    const { generators } = request();
    expect(
      output({ providerStates, request: request({ generators: { ...Object(generators), path } }) }),
    ).toEqual([]);
  });

  test('an example that differs from its value is refused', () => {
    const header = { Authorization: fromState('${accessToken}') };
    expect(output({ request: request({ generators: { header } }) })).toEqual([
      'request.headers.Authorization[0] has another example than "<ACCESS_TOKEN>": write that',
    ]);
  });

  test('a value that no state gives, or that two states give, is refused', () => {
    expect(output({ providerStates: account })).toEqual([
      'request.generators uses "accessToken", which none of its states gives: ask for one that does',
    ]);
    const header = { Authorization: fromState('Bearer ${token}') };
    expect(output({ request: request({ generators: { header } }) })[0]).toMatch(
      /uses "token", which none/,
    );
    const bare = { Authorization: fromState('token') };
    expect(output({ request: request({ generators: { header: bare } }) })[0]).toMatch(
      /uses "token", which none/,
    );
    const two = [{ name: 'a valid token' }, { name: 'a token of nobody' }];
    expect(output({ providerStates: two })).toEqual([
      'request.generators uses "accessToken", which 2 of its states give: ask for one of them',
    ]);
  });

  test('a value in an answer is filled in too', () => {
    const generators = { body: { '$.owner': fromState('${owner}') } };
    expect(output({ response: { status: 200, generators } })[0]).toMatch(
      /^response\.generators uses "owner"/,
    );
  });
});

const remedy =
  'may be a credential: write <API_KEY>, <SECRET_KEY> or Bearer <ACCESS_TOKEN>, or words that look like none';

test.describe('for credentials', () => {
  for (const [what, text] of [
    ['a JWT', joined('eyJ', 'hbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxIn0.', 'c2lnbmF0dXJl')],
    ['a key of a payment provider', joined('sk', '_live_', '4eC39HqLyjW')],
    ['a token of a forge', joined('gh', 'p_', 'a'.repeat(36))],
    ['hex', joined('9f86d081', '884c7d659a2f')],
    ['a long number', joined('1234567890', '1234567890')],
    ['base64', joined('kD3vR8xQ2m', 'Z7pW1sT6yB')],
    ['digits and letters of one case', joined('k3j5h2m4', 'n7p9q1r8s6t0')],
    ['a password in an address', joined('queue://anna', ':open-sesame@')],
  ] as const)
    test(`${what} is refused in every part, and never quoted`, () => {
      const lines = [
        output({
          response: response({ note: `see ${text}` }, { '$.note': all({ match: 'type' }) }),
        }),
        output({
          response: {
            status: 200,
            headers: { 'X-Note': [text] },
            matchingRules: { header: { 'X-Note': all({ match: 'type' }) } },
          },
        }),
        output({ request: request({ path: `/public-api/v1/widgets/${text}` }) }),
        output({ comments: { text: [text] } }),
        output({ providerStates: [{ name: 'a valid token', params: { note: text } }] }),
        lint(pactOf([interaction({ description: `with ${text}` })])),
      ];
      for (const message of lines) {
        expect(message.filter((line) => line.endsWith(remedy))).toHaveLength(1);
        expect(message.join()).not.toContain(text);
      }
    });

  test('words, paths, identifiers and UUIDs are not credentials', () => {
    const names = [
      '/public-api/v1/a-newer-token-changes-nothing-for-the-older',
      'aUseInTheLastMillisecondMovesNothing',
      'SOME_SETTING_OF_VERSION_2_THAT_IS_LONG',
      joined('1b4e28ba-2fa1-11d2', '-883f-0016d3cca427'),
    ];
    const rules = { '$.names': all({ match: 'type' }) };
    expect(output({ response: response({ names }, rules) })).toEqual([]);
  });

  test('a short value is refused in the place of a key or a token', () => {
    for (const name of [
      'apiKey',
      'api_key',
      'secretKey',
      'accessToken',
      'refresh-token',
      'password',
    ])
      expect(output({ response: response({ data: { [name]: 'sesame' } }) })).toEqual([
        `response.body.content.data.${name} ${remedy}`,
      ]);
    const query = { 'api-key': ['sesame'] };
    expect(output({ request: request({ query }) })).toEqual([`request.query.api-key[0] ${remedy}`]);
    expect(output({ request: request({ query: 'page=1&apiKey=sesame' }) })).toEqual([
      `request.query.apiKey ${remedy}`,
    ]);
    const headers = { 'X-Api-Key': 'sesame', Cookie: 'session=sesame' };
    expect(output({ request: request({ headers, generators: {} }) })).toHaveLength(2);
  });

  for (const value of [
    'Bearer sesame',
    'sesame',
    'Bearer  <ACCESS_TOKEN>',
    'Bearer <ACCESS_TOKEN> x',
    'Bearer <TOKEN>',
  ])
    test(`"${value}" is not accepted as an example of an Authorization header`, () => {
      const message = output({
        request: request({ headers: { Authorization: [value] }, generators: {} }),
      });
      expect(message).toContain(`request.headers.Authorization[0] ${remedy}`);
    });

  test('a placeholder under any scheme is accepted as an example, and an empty text is not', () => {
    for (const scheme of ['Basic ', 'Token ', '']) {
      const header = { Authorization: fromState(`${scheme}\${accessToken}`) };
      const headers = { Authorization: [`${scheme}<ACCESS_TOKEN>`] };
      expect(output({ request: request({ headers, generators: { header } }) })).toEqual([]);
    }
    expect(output({ response: response({ data: { accessToken: '' } }) })).toEqual([]);
  });

  test('a body in base64 is decoded and checked', () => {
    const content = Buffer.from(joined('db://a', ':b@c')).toString('base64');
    const body = { content, contentType: 'text/plain', encoded: 'base64' };
    expect(output({ response: { status: 200, body } })).toContain(
      `response.body.content ${remedy}`,
    );
  });
});

test.describe('for values that change', () => {
  const day = ['2026', '03', '01'].join('-');
  const values = [
    ['a UUID', joined('1b4e28ba-2fa1-11d2', '-883f-0016d3cca427')],
    ['a date', day],
    ['a date', `${day}T12:00:00Z`],
    ['a date', 'Sun, 01 Mar 2026 12:00:00 GMT'],
    ['a time of day', 'at 12:30'],
    ['an address', 'https://api/widgets'],
    ['an address', '192.0.2.1:80'],
    ['an address', 'localhost'],
    ['the name of a host', 'anna@mail.example.com'],
  ] as const;

  for (const [what, text] of values) {
    test(`"${text}" in an answer is refused, unless a rule matches it loosely`, () => {
      const of = (rules: Json) => output({ response: response({ at: { which: text } }, rules) });
      const complaint = `response.body.content.at.which has ${what}: match its type or its form instead of the value`;
      expect(of({})).toEqual([complaint]);
      expect(of({ '$.at.which': all({ match: 'equality' }) })).toEqual([complaint]);
      expect(of({ '$.other': all({ match: 'type' }) })).toEqual([complaint]);
      expect(of({ '$.at.which': all({ match: 'regex', regex: '.+' }) })).toEqual([]);
      expect(of({ '$.at': all({ match: 'type' }) })).toEqual([]);
      expect(
        of({ '$.at': all({ match: 'type' }), '$.at.which': all({ match: 'equality' }) }),
      ).toEqual([complaint]);
    });

    test(`"${text}" in a request is refused, also where a rule matches it`, () => {
      const faulty = request({
        query: { at: [text] },
        matchingRules: { query: { at: all({ match: 'type' }) } },
      });
      expect(output({ request: faulty })).toEqual([
        `request.query.at[0] has ${what}: write one that is true everywhere and always`,
      ]);
    });
  }

  test('the headers of an answer are checked, also in the format before version 3', () => {
    const headers = { Location: 'https://api/widgets' };
    expect(output({ response: { status: 200, headers } })).toHaveLength(1);
    const matchingRules = { '$.headers.Location': { match: 'type' } };
    expect(output({ response: { status: 200, headers, matchingRules } })).toEqual([]);
  });

  test('transfer headers are refused, because Pact never receives them', () => {
    const of = (...names: readonly string[]) => {
      const headers = Object.fromEntries(names.map((name) => [name, ['2', '3']]));
      return output({ response: { status: 200, headers } });
    };
    expect(of('Content-Length', 'transfer-encoding')).toEqual([
      'response.headers.Content-Length is about the transfer, not the answer: leave it out',
      'response.headers.transfer-encoding is about the transfer, not the answer: leave it out',
    ]);
    expect(of('Content-Type', 'Content-Language', 'ETag')).toEqual([]);
  });

  test('numbers, versions and ordinary words are accepted', () => {
    const names = [
      '1.2.3',
      'widgets.v2',
      '12:75',
      'on Monday',
      '1-2026-1',
      'ratio 1:2',
      'com.widgets',
    ];
    expect(output({ response: response({ names }) })).toEqual([]);
  });
});

test('each error is one line, whatever names a pact contains', () => {
  const lines = lint(
    pactOf([interaction({ description: 'two\nlines', providerStates: [{ name: 'a\nb' }] })]),
  );
  expect(lines.join('')).not.toContain('\n');
});
