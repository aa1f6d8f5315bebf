import { expect, test } from '@playwright/test';
import { type Deviation, type Item, merged, type Part } from '../../contract/attempts/deviation.ts';
import { packed } from '../../contract/attempts/pack.ts';
import { bare, tokenIn, withScheme } from '../../contract/attempts/secret-places.ts';
import { ordinaryVariations } from '../../contract/attempts/variations.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';

const token = new Secret('t0ken/+');
const widgets = { method: 'POST', path: '/public-api/v1/widgets' };

/** The requests that these guesses need, each as the list of places of the token. */
const requestsOf = (guesses: readonly Deviation[], secret = token): string[][] =>
  packed(guesses, { TOKEN: secret }).map((group) =>
    group.map(({ what }) => what.replace(/^the token is in the /, '')),
  );

test('guesses of one kind go into one request', () => {
  expect(requestsOf(tokenIn('header', ['A', 'B'], bare))).toEqual([['header A', 'header B']]);
});

test('two forms of one name go into two requests', () => {
  const guesses = [...tokenIn('cookie', ['a'], bare), ...tokenIn('cookie', ['a'], withScheme)];
  expect(requestsOf(guesses)).toEqual([['cookie a'], ['cookie a, behind "Bearer "']]);
});

for (const [part, one, other, requests] of [
  ['header', 'X-Token', 'x-token', 2],
  ['header', 'X-Token', 'X_Token', 2],
  ['query', 'token', 'Token', 2],
  ['form', 'token', 'Token', 2],
  ['cookie', 'token', 'Token', 1],
  ['json', 'token', 'Token', 1],
] as const)
  test(`${one} and ${other} need ${requests} requests as names of ${part}`, () => {
    expect(requestsOf(tokenIn(part, [one, other], bare))).toHaveLength(requests);
  });

test('two kinds of places go into two requests, since a server may refuse duplicate credentials', () => {
  const guesses = [...tokenIn('query', ['a'], bare), ...tokenIn('cookie', ['b'], bare)];
  expect(requestsOf(guesses)).toEqual([['query as a'], ['cookie b']]);
});

test('an Authorization header and a handshake are separate kinds', () => {
  const upgrade: Item = { part: 'header', name: 'Upgrade', text: 'websocket' };
  const guesses = [
    ...tokenIn('header', ['X-Token', 'Authorization'], bare),
    ...tokenIn('header', ['X-A', 'X-B'], bare).map(({ what, items }) => ({
      what,
      items: [upgrade, ...items],
    })),
  ];
  expect(requestsOf(guesses).map(({ length }) => length)).toEqual([1, 1, 2]);
});

test('a request holds no more than servers accept', () => {
  const names = Array.from({ length: 400 }, (_, index) => `X-${index}`);
  const counts = requestsOf(tokenIn('header', names, bare)).map(({ length }) => length);
  expect(counts).toEqual([180, 180, 40]);
});

test('a token that is longer than any request still goes into a request', () => {
  const long = new Secret('x'.repeat(9000));
  expect(requestsOf(tokenIn('query', ['a', 'b'], bare), long)).toHaveLength(2);
});

/** The options of a request with the token at these places. */
function sent(part: Part, names: readonly string[], body?: { json: unknown }) {
  const endpoint = body === undefined ? widgets : { ...widgets, body };
  return merged(tokenIn(part, names, bare), endpoint, { TOKEN: token });
}

test('query parameters and cookies share a request', () => {
  const { query } = sent('query', ['a', 'b c']);
  expect(query && open(query)).toBe('a=t0ken%2F%2B&b%20c=t0ken%2F%2B');
  expect(`${query}`).toBe('a=[secret]&b%20c=[secret]');
  const cookie = sent('cookie', ['a', 'b']).headers?.Cookie;
  expect(cookie instanceof Secret && open(cookie)).toBe('a=t0ken/+; b=t0ken/+');
});

test('a path is alone in its request, and keeps the query of the endpoint', () => {
  const patterns = ['{in}TOKEN/{rest}', '{path};a=TOKEN;b=TOKEN'];
  const guesses = tokenIn('path', patterns, bare);
  expect(requestsOf(guesses).map(({ length }) => length)).toEqual([1, 1]);
  const endpoint = { ...widgets, path: `${widgets.path}/$&?all=1` };
  const paths = guesses.map((guess) => merged([guess], endpoint, { TOKEN: token }).secretPath);
  expect(paths.map((path) => path && open(path))).toEqual([
    '/public-api/v1/t0ken%2F%2B/widgets/$&?all=1',
    '/public-api/v1/widgets/$&;a=t0ken%2F%2B;b=t0ken%2F%2B?all=1',
  ]);
});

test('JSON fields are added to those of the endpoint, and a dot leads into an object', () => {
  const { body } = sent('json', ['token', 'data.jwt', 'data.token'], { json: { size: 3 } });
  expect(JSON.parse(JSON.stringify(body))).toEqual({
    json: { size: 3, token: '[secret]', data: { jwt: '[secret]', token: '[secret]' } },
  });
});

test('a multipart form has a part for each field', () => {
  const { body } = sent('multipart', ['a', 'b']);
  const text = body !== undefined && 'text' in body && body.text;
  expect(text instanceof Secret && open(text).split('--public-api-contract-part')).toEqual([
    '',
    '\r\nContent-Disposition: form-data; name="a"\r\n\r\nt0ken/+\r\n',
    '\r\nContent-Disposition: form-data; name="b"\r\n\r\nt0ken/+\r\n',
    '--\r\n',
  ]);
});

const requestsTo = (endpoint: Endpoint) =>
  ordinaryVariations(endpoint).map((variation) => merged(variation, endpoint));
const path = '/public-api/v1/widgets';

test('a header that the owner configures is not replaced in the requests of other clients', () => {
  const headers = { accept: 'application/vnd.shop+json', Cookie: 'gateway=1' };
  const names = (endpoint: Endpoint): string[] =>
    requestsTo(endpoint).flatMap((one) => Object.keys(one.headers ?? {}));
  expect(names({ method: 'GET', path })).toEqual(expect.arrayContaining(['Accept', 'Cookie']));
  expect(names({ method: 'GET', path, headers })).not.toContain('Accept');
  expect(names({ method: 'GET', path, headers })).not.toContain('Cookie');
});

test('the query and the body of the endpoint stay in the requests of other clients', () => {
  const own = requestsTo({ method: 'POST', path: `${path}?size=1`, body: { json: { name: 'a' } } });
  const paths = own.flatMap((one) => one.path ?? []);
  expect(paths).toEqual([`${path}?size=1&page=1&lang=fr`]);
  expect(own.filter(({ body }) => body !== undefined)).toEqual([]);
  expect(own.filter(({ chunked }) => chunked === true)).toHaveLength(1);
});
