import { expect, test } from '@playwright/test';
import { all, fromState, type Json, joined, output, request, response } from './made-up.ts';

test.describe('for values from a state', () => {
  const exchange = { method: 'POST', path: '/public-api/v1/auth/token' };
  const body = { apiKey: '<API_KEY>', secretKey: '<SECRET_KEY>' };
  const account = [{ name: 'an account' }];

  test('a placeholder is filled in by its name, and refused where no state gives it', () => {
    const inPath = { path: '/public-api/v1/widgets/<ACCESS_TOKEN>' };
    for (const more of [{}, { query: { token: ['<ACCESS_TOKEN>'] } }, inPath])
      expect(output({ request: request({ generators: {}, ...more }) })).toEqual([]);
    const none = 'which none of its states gives';
    expect(output({ request: { ...exchange, body } })).toEqual([
      `request.body.apiKey holds <API_KEY>, ${none}`,
      `request.body.secretKey holds <SECRET_KEY>, ${none}`,
    ]);
    expect(output({ providerStates: account, request: { ...exchange, body } })).toEqual([]);
    // The provider's own state handler may return any value.
    const other = [{ name: 'a user of the team' }];
    expect(output({ providerStates: other, request: { ...exchange, body } })).toEqual([]);
  });

  test('a value may be named without a dollar sign', () => {
    const generators = { body: { '$.apiKey': fromState('apiKey') } };
    const parts = { ...exchange, body: { apiKey: '<API_KEY>' }, generators };
    expect(output({ providerStates: account, request: parts })).toEqual([]);
  });

  test('a placeholder in an answer is refused where Pact would compare it with the real value', () => {
    const of = (accessToken: string, rules: Json) =>
      output({
        providerStates: account,
        request: { ...exchange, body },
        response: response({ data: { accessToken } }, rules),
      });
    expect(of('<ACCESS_TOKEN>', {})).toEqual([
      'response.body.content.data.accessToken is compared with its example, and not with what a state gives: match its type',
    ]);
    expect(of('<ACCESS_TOKEN>', { '$.data.accessToken': all({ match: 'type' }) })).toEqual([]);
  });

  test('a value that no state gives, or that two states give, is refused', () => {
    expect(output({ providerStates: account })).toEqual([
      'request.generators uses "accessToken", which none of its states gives: ask for one that does',
    ]);
    for (const text of ['Bearer ${token}', 'token']) {
      const generators = { header: { Authorization: fromState(text) } };
      expect(output({ request: request({ generators }) })[0]).toContain('uses "token", which none');
    }
    const two = [{ name: 'a valid token' }, { name: 'a token of nobody' }];
    expect(output({ providerStates: two })).toEqual([
      'request.generators uses "accessToken", which 2 of its states give: ask for one of them',
    ]);
  });

  test('a path in a body is one that Pact can read', () => {
    const rule = { matchers: [{ match: 'type' }] };
    const rules = (path: string) =>
      output({ response: { status: 200, matchingRules: { body: { [path]: rule } } } });
    for (const path of [
      ...['$..a', '$.a[-1]', '$.a[0:1]', '$["a"]', '$.a.', '$.a[', '$.a b', '$a', "$['a"],
    ])
      expect(rules(path)).toEqual([
        `response.matchingRules has the path ${path}, which Pact cannot read: correct it`,
      ]);
    const read = ['$', '$.a', '$.a[0].b', '$.a[*]', '$.*', "$['a b']", "$['..'][1]", "$['[']"];
    for (const path of read) expect(rules(path)).toEqual([]);
  });

  test('a generator of a header needs a name that can be sent', () => {
    const value = fromState('${accessToken}');
    const header = { 'X-Token': value, 'X-Token[1]': value, "$['X-Token']": value };
    expect(output({ request: request({ generators: { header } }) })).toEqual([
      'request.generators has the header "X-Token[1]", which Pact cannot send: write its name only',
      'request.generators has the header "$[\'X-Token\']", which Pact cannot send: write its name only',
    ]);
  });
});

test.describe('for values that change', () => {
  const day = ['2026', '03', '01'].join('-');
  const values = [
    ['a UUID', joined('1b4e28ba-2fa1-11d2', '-883f-0016d3cca427')],
    ['a date', day],
    ['a date', 'Sun, 01 Mar 2026 12:00:00 GMT'],
    ['a time of day', 'at 12:30'],
    ['an address', 'https://api/widgets'],
    ['an address', '192.0.2.1:80'],
    ['the name of a host', 'anna@mail.example.com'],
  ] as const;

  for (const [what, text] of values) {
    test(`"${text}" in an answer is a warning, unless a rule matches it loosely`, () => {
      const of = (rules: Json) => output({ response: response({ at: { which: text } }, rules) });
      const complaint = `warning: response.body.content.at.which has ${what}: match its type or its form instead of the value`;
      const equal = { '$.at.which': all({ match: 'equality' }) };
      const loose = { '$.at': all({ match: 'type' }) };
      for (const rules of [
        {},
        equal,
        { '$.other': all({ match: 'type' }) },
        { ...loose, ...equal },
      ])
        expect(of(rules)).toEqual([complaint]);
      for (const rules of [loose, { '$.at.which': all({ match: 'regex', regex: '.+' }) }])
        expect(of(rules)).toEqual([]);
    });
  }

  test('values that change are accepted in a request, wherever they stand', () => {
    const at = values.map(([, text]) => text);
    const headers = { ...Object(request().headers), 'X-At': at };
    expect(output({ request: request({ query: { at }, headers, body: { at } }) })).toEqual([]);
  });

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
    const words = '1.2.3, widgets.v2, 12:75, on Monday, 1-2026-1, ratio 1:2, com.widgets';
    const names = words.split(', ');
    expect(output({ response: response({ names }) })).toEqual([]);
  });
});

test('a list with a rule for each of its members is checked without a delay', () => {
  const members = Array.from({ length: 2000 }, (_, at) => at);
  const rules = Object.fromEntries(
    members.map((at) => [`$[${at}].name`, all({ match: at === 7 ? 'equality' : 'type' })]),
  );
  const content = members.map(() => ({ name: '2026-11-27' }));
  const before = process.cpuUsage();
  expect(output({ response: response(content, rules) })).toEqual([
    expect.stringContaining('response.body.content[7].name has a date'),
  ]);
  expect(process.cpuUsage(before).user).toBeLessThan(4_000_000);
});

test('each error is one line, whatever names a pact contains', () => {
  const lines = output({ description: 'two\nlines', providerStates: [{ name: 'a\nb' }] });
  expect(lines.join('')).not.toContain('\n');
});
