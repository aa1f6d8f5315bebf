import { expect, test } from '@playwright/test';
import { type Deviation, mergeWay, type Part } from '../../contract/attempts/deviation.ts';
import { bare, tokenIn, withScheme } from '../../contract/attempts/places.ts';
import { groupPlaces } from '../../contract/attempts/search.ts';
import { listVariations } from '../../contract/attempts/variations.ts';
import { createCall, describeCall, type Endpoint } from '../../contract/http/request.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';

const token = new Secret('t0ken/+');
const widgets = { method: 'POST', path: '/public-api/v1/widgets' };

/** The requests that these guesses need, each as the list of places of the token. */
const requestsOf = (guesses: readonly Deviation[], secret = token): string[][] =>
  groupPlaces(guesses, { TOKEN: secret }).map((group) =>
    group.map(({ what }) => what.replace(/^the token is in the /, '')),
  );

test('guesses of one kind go into one request', () => {
  expect(requestsOf(tokenIn('header', ['A', 'B'], bare))).toEqual([['header A', 'header B']]);
});

test('two forms of one name go into two requests', () => {
  const guesses = [...tokenIn('cookie', ['a'], bare), ...tokenIn('cookie', ['a'], withScheme)];
  expect(requestsOf(guesses)).toEqual([['cookie a'], ['cookie a, as "Bearer TOKEN"']]);
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

test('a request holds no more than servers accept', () => {
  const names = Array.from({ length: 400 }, (_, index) => `X-${index}`);
  const counts = requestsOf(tokenIn('header', names, bare)).map(({ length }) => length);
  expect(counts).toEqual([180, 180, 40]);
});

/** The options of a request with the token at these places. */
function sent(part: Part, names: readonly string[], body?: { json: unknown }) {
  const endpoint = body === undefined ? widgets : { ...widgets, body };
  return mergeWay(tokenIn(part, names, bare), endpoint, { TOKEN: token });
}

test('query parameters and cookies share a request', () => {
  const { query } = sent('query', ['a', 'b c']);
  expect(query && open(query)).toBe('a=t0ken%2F%2B&b%20c=t0ken%2F%2B');
  expect(`${query}`).toBe('a=[secret]&b%20c=[secret]');
  const cookie = sent('cookie', ['a', 'b']).headers?.Cookie;
  expect(cookie instanceof Secret && open(cookie)).toBe('a=t0ken/+; b=t0ken/+');
});

test('JSON fields are added to those of the endpoint, and a dot leads into an object', () => {
  const { body } = sent('json', ['token', 'jwt'], { json: { size: 3 } });
  expect(JSON.parse(JSON.stringify(body))).toEqual({
    json: { size: 3, token: '[secret]', jwt: '[secret]' },
  });
});

const requestsTo = (endpoint: Endpoint) =>
  listVariations(endpoint, { headers: [] }).map((variation) => mergeWay(variation, endpoint));
const path = '/public-api/v1/widgets';

test('a header that the owner configures is not replaced in the requests of other clients', () => {
  const headers = { accept: 'application/vnd.shop+json', Cookie: 'gateway=1' };
  const names = (endpoint: Endpoint): string[] =>
    requestsTo(endpoint).flatMap((request) => Object.keys(request.headers ?? {}));
  expect(names({ method: 'GET', path })).toEqual(expect.arrayContaining(['Accept', 'Cookie']));
  expect(names({ method: 'GET', path, headers })).not.toContain('Accept');
  expect(names({ method: 'GET', path, headers })).not.toContain('Cookie');
});

test('the query and the body of the endpoint stay in the requests of other clients', () => {
  const endpoint = { method: 'POST', path: `${path}?size=1`, body: { json: { name: 'a' } } };
  const own = requestsTo(endpoint);
  const lines = own.map((request) => describeCall(createCall(endpoint, request)));
  expect(lines).toContainEqual(expect.stringMatching(/\?size=1&.*&page=1&/));
  expect(own.filter(({ body }) => body !== undefined)).toEqual([]);
});
