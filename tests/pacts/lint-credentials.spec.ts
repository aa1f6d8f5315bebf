import { expect, test } from '@playwright/test';
import { lint } from '../../pacts/lint.ts';
import {
  all,
  fromState,
  interaction,
  joined,
  output,
  pactOf,
  request,
  response,
} from './made-up.ts';

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
      const loose = all({ match: 'type' });
      const header = {
        headers: { 'X-Note': [text] },
        matchingRules: { header: { 'X-Note': loose } },
      };
      const lines = [
        output({ response: response({ note: `see ${text}` }, { '$.note': loose }) }),
        output({ response: { status: 200, ...header } }),
        output({ request: request({ path: `/public-api/v1/widgets/${text}` }) }),
        output({ comments: { text: [text] } }),
        output({ providerStates: [{ name: 'a valid token', params: { note: text } }] }),
        lint(pactOf([interaction({ description: `with ${text}` })])).map(({ line }) => line),
      ];
      for (const message of lines) {
        expect(message.filter((line) => line.endsWith(remedy))).toHaveLength(1);
        expect(message.join()).not.toContain(text);
      }
    });

  test('words, paths, identifiers and UUIDs are not credentials', () => {
    const names = [
      '/public-api/v1/a-new-token-follows-the-expired-one',
      'aUseInTheLastMillisecondMovesNothing',
      'SOME_SETTING_OF_VERSION_2_THAT_IS_LONG',
      joined('1b4e28ba-2fa1-11d2', '-883f-0016d3cca427'),
    ];
    const rules = { '$.names': all({ match: 'type' }) };
    expect(output({ response: response({ names }, rules) })).toEqual([]);
  });

  const ulid = joined('01ARZ3NDEKTSV4', 'RRFFQ69G5FAV');
  const objectId = joined('507f1f77bcf8', '6cd799439011');
  const checksum = joined('33a64df551425fcc55e4', 'd42a148795d9f25f89d4');

  test('identifiers of databases are not credentials, but longer texts of their characters are', () => {
    for (const id of [ulid, objectId]) {
      const of = (path: string) => output({ request: request({ path }) });
      expect(of(`/public-api/v1/widgets/${id}/parts`)).toEqual([]);
      expect(output({ providerStates: [{ name: `a widget ${id}` }] })).toEqual([]);
      expect(of(`/public-api/v1/widgets/${id}${id}`)).toEqual([`request.path ${remedy}`]);
    }
  });

  test('checksums are no credentials in headers of caches and traces, and credentials elsewhere', () => {
    const lines = (name: string, value: string) =>
      output({ request: request({ headers: { [name]: [value] } }) });
    expect(lines('If-None-Match', `W/"${checksum}"`)).toEqual([]);
    const trace = `00-${checksum.slice(0, 32)}-${checksum.slice(0, 16)}-01`;
    expect(lines('traceparent', trace)).toEqual([]);
    expect(lines('X-Note', checksum)).toEqual([`request.headers.X-Note[0] ${remedy}`]);
    const forge = joined('gh', 'p_', 'a'.repeat(36));
    for (const name of ['ETag', 'X-Request-Id'])
      expect(lines(name, forge)).toEqual([`request.headers.${name}[0] ${remedy}`]);
  });

  const inField = (name: string, value: string) =>
    output({ request: request({ body: { file: [{ [name]: value }] } }) });

  test('checksums are no credentials in fields of a body with such names, and credentials in others', () => {
    const sha512 = joined('9f86d081884c7d65', '9a2feaa0c55ad015').repeat(4);
    for (const name of ['checksum', 'SHA-256', 'sha256', 'digest', 'hash', 'md5', 'etag'])
      for (const value of [sha512, sha512.slice(0, 64), sha512.slice(0, 32).toUpperCase()])
        expect(inField(name, value)).toEqual([]);
    const refused = (name: string) => [`request.body.file[0].${name} ${remedy}`];
    for (const name of ['key', 'hashKey', 'note'])
      expect(inField(name, sha512.slice(0, 64))).toEqual(refused(name));
    const key = joined('kD3vR8xQ2m', 'Z7pW1sT6yB4nH9cJ5fL0gK2a');
    for (const value of [key, joined('sk', '_live_', '4eC39HqLyjW'), sha512.slice(0, 31)])
      expect(inField('checksum', value)).toEqual(refused('checksum'));
    expect(inField('hash', `${sha512}0`)).toEqual(refused('hash'));
    const parts = request({ headers: { checksum: [sha512.slice(0, 64)] } });
    expect(output({ request: parts })).toEqual([`request.headers.checksum[0] ${remedy}`]);
  });

  test('an IBAN with a right check number is not a credential, and one with a wrong one is', () => {
    const german = joined('DE8937040044', '0532013000');
    const norwegian = joined('NO93860', '11117947');
    const french = joined('FR1420041010', '050500013M02606');
    for (const iban of [german, norwegian, french]) {
      expect(inField('iban', iban)).toEqual([]);
      expect(output({ request: request({ path: `/public-api/v1/accounts/${iban}` }) })).toEqual([]);
    }
    const refused = [`request.body.file[0].iban ${remedy}`];
    for (const wrong of [german.replace('89', '98'), german.toLowerCase(), `${german}0`])
      expect(inField('iban', wrong)).toEqual(refused);
  });

  const fixed = 'is a fixed value in the place of a credential: a state gives a real one';

  test('a made-up value in the place of a key or a token is a warning, and never an error', () => {
    const names = 'apiKey api_key secretKey accessToken refresh-token password'.split(' ');
    for (const name of names)
      expect(output({ response: response({ data: { [name]: 'sesame' } }) })).toEqual([
        `warning: response.body.content.data.${name} ${fixed}`,
      ]);
    for (const [query, where] of [
      [{ 'api-key': ['sesame'] }, 'api-key[0]'],
      [{ 'api-key': ['open%20sesame'] }, 'api-key[0]'],
      ['page=1&apiKey=sesame', 'apiKey'],
    ])
      expect(output({ request: request({ query }) })).toEqual([
        `warning: request.query.${where} ${fixed}`,
      ]);
    for (const text of ['Bearer sesame', 'not-a-token-7', 'Bearer  <ACCESS_TOKEN>', 'Bearer <T>']) {
      const lines = output({
        request: request({ headers: { Authorization: [text] }, generators: {} }),
      });
      expect(lines).toContain(`warning: request.headers.Authorization[0] ${fixed}`);
    }
  });

  test('a made-up token that is the example of a type is accepted in an answer', () => {
    const rules = { '$.data.accessToken': all({ match: 'type' }) };
    expect(output({ response: response({ data: { accessToken: 'sesame' } }, rules) })).toEqual([]);
    const equal = { '$.data.accessToken': all({ match: 'equality' }) };
    expect(output({ response: response({ data: { accessToken: 'sesame' } }, equal) })).toEqual([
      `warning: response.body.content.data.accessToken ${fixed}`,
    ]);
  });

  const real = joined('q7Wd', '3XvA');

  for (const [what, more] of [
    ['a header', { headers: { 'X-Api-Key': [real] }, generators: {} }],
    ['a bearer token', { headers: { Authorization: [`Bearer ${real}`] }, generators: {} }],
    [
      'a password of the Basic scheme',
      { headers: { Authorization: [`Basic ${btoa(`anna:${real}`)}`] }, generators: {} },
    ],
    ['a cookie', { headers: { Cookie: [`theme=dark; session=${real}`] }, generators: {} }],
    ['a query', { query: { token: [real] } }],
    ['a form', { body: `name=anna&secretKey=${real}` }],
    [
      'a form with percent signs',
      { body: `secretKey=%${real.charCodeAt(0).toString(16)}${real.slice(1)}` },
    ],
  ] as const)
    test(`a value that looks real is an error in ${what}, where a credential belongs`, () => {
      const lines = output({ request: request(more) });
      expect(lines.filter((line) => line.endsWith(remedy))).toHaveLength(1);
      expect(lines.join()).not.toContain(real);
    });

  test('a placeholder under any scheme is accepted as an example, and an empty text is not', () => {
    for (const scheme of ['Basic ', 'Token ', '']) {
      const header = { Authorization: fromState(`${scheme}\${accessToken}`) };
      const headers = { Authorization: [`${scheme}<ACCESS_TOKEN>`] };
      expect(output({ request: request({ headers, generators: { header } }) })).toEqual([]);
    }
    expect(output({ response: response({ data: { accessToken: '' } }) })).toEqual([]);
  });

  test('a text or a file in base64 is not a credential, and a credential in base64 is one', () => {
    const of = (text: string) => output({ request: request({ body: { data: text } }) });
    const inBase64 = (text: string) => Buffer.from(text).toString('base64');
    expect(of(inBase64('a text of ordinary words, of any length'))).toEqual([]);
    expect(of(`iVBORw0KGgo${'kD3vR8xQ2mZ7pW1sT6yB'.repeat(2)}`)).toEqual([]);
    expect(of(inBase64(`key ${joined('9f86d081', '884c7d659a2f')}`))).toEqual([
      `request.body.data ${remedy}`,
    ]);
  });

  test('texts that nearly look like a token or a host are searched quickly', () => {
    const before = process.cpuUsage();
    for (const part of ['eyJ-', 'eyJaaaaaaaaa-', 'ab-cd.', 'a-']) {
      const body = { content: part.repeat(20_000), contentType: 'text/plain', encoded: false };
      expect(output({ request: request({ body }), response: { status: 200, body } })).toEqual([]);
    }
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });

  test('a body in base64 is decoded and checked', () => {
    const content = Buffer.from(joined('db://a', ':b@c')).toString('base64');
    const body = { content, contentType: 'text/plain', encoded: 'base64' };
    expect(output({ response: { status: 200, body } })).toContain(
      `response.body.content ${remedy}`,
    );
  });
});
