import { expect, test } from '@playwright/test';
import { methodParameters } from '../../contract/attacks/guesses.ts';
import { hosts, trusted } from '../../contract/attacks/header-guesses.ts';
import {
  guessing,
  headers,
  neighbouringPaths,
  otherMethods,
  packed,
  parameters,
  pathVariants,
} from '../../contract/attacks/path-variants.ts';
import { prefix } from '../../contract/http/request.ts';

const none: ReadonlySet<string> = new Set();

test('headers are combined into few requests, each name once per request', () => {
  const families = [['A B', ['1', '2', '3']] as const, ['C', ['x']] as const];
  const requests = packed(families, none);
  expect(requests).toHaveLength(3);
  expect(requests.flat()).toHaveLength(7);
  for (const request of requests) {
    const names = request.map((guess) => ('header' in guess ? guess.header[0] : ''));
    expect(new Set(names).size).toBe(names.length);
  }
});

test('all trusted headers fit in few requests that every server accepts', () => {
  for (const families of [trusted, hosts]) {
    const requests = packed(families, none);
    const guesses = families.map(([names, values]) => names.split(/\s+/).length * values.length);
    expect(requests.flat()).toHaveLength(guesses.reduce((sum, one) => sum + one, 0));
    expect(requests.length).toBeLessThanOrEqual(17);
    for (const request of requests) {
      expect(request.length).toBeLessThanOrEqual(80);
      expect(JSON.stringify(request).length).toBeLessThan(4096);
    }
  }
});

test("the endpoint's own headers are not tried as guesses", () => {
  const own = new Set(['x-role', 'forwarded']);
  const names = packed(trusted, own).flatMap((request) =>
    request.map((guess) => ('header' in guess ? guess.header[0].toLowerCase() : '')),
  );
  expect(names).not.toContain('x-role');
  expect(names).not.toContain('forwarded');
  expect(names).toContain('x-roles');
});

test('every guess is a sendable header, or a parameter', () => {
  for (const [names, values] of [...trusted, ...hosts]) {
    expect(names).toMatch(/^[A-Za-z0-9-]+(\s+[A-Za-z0-9-]+)*$/);
    for (const value of values) expect(value).toMatch(/^[\x20-\x7e]+$/);
  }
  expect(parameters(methodParameters, '=GET')).toContainEqual({ parameter: '_method=GET' });
});

test('guessed parameters follow the path and its own query, and each half is a separate guess', () => {
  const way = guessing([...parameters('a b', '=1'), ...headers('C', '2')], { reason: 'it has' });
  expect(way.reason).toBe('it has ?a=1, ?b=1, C: 2');
  const to = (path: string) => way.options({ method: 'GET', path });
  expect(to(`${prefix}w`)).toEqual({ path: `${prefix}w?a=1&b=1`, headers: { C: '2' } });
  expect(to(`${prefix}w?own=0`).path).toBe(`${prefix}w?own=0&a=1&b=1`);
  expect(way.halves?.().map(({ reason }) => reason)).toEqual(['it has ?a=1, ?b=1', 'it has C: 2']);
  expect(way.halves?.()[1]?.halves).toBeUndefined();
});

for (const path of ['widgets', 'widgets/7/parts', 'w', '7', 'Ü?all=1'])
  test(`every spelling of ${path} differs from it and stays below the prefix`, () => {
    const spelt = pathVariants(prefix + path);
    expect(spelt.length).toBeGreaterThan(60);
    expect(new Set(spelt).size).toBe(spelt.length);
    for (const one of spelt) expect(one.startsWith(prefix)).toBe(true);
    expect(spelt).not.toContain(prefix + path);
  });

test('a path variant of an endpoint keeps its query', () => {
  expect(neighbouringPaths(`${prefix}widgets?all=1`)).toEqual(
    expect.arrayContaining([
      `${prefix}widgets/health?all=1`,
      `${prefix}public/widgets?all=1`,
      `${prefix}widgets/x.css?all=1`,
    ]),
  );
});

test('a path of several parts is also spelt with other slashes', () => {
  expect(pathVariants(`${prefix}a/b`)).toEqual(
    expect.arrayContaining([`${prefix}a%2Fb`, `${prefix}a\\b`, `${prefix}a%252Fb`]),
  );
});

test('the first letter of a path is encoded in every way that decoders know', () => {
  const spelt = pathVariants(`${prefix}widgets`);
  for (const first of ['%77', '%2577', '%C1%B7', '%EF%BD%97'])
    expect(spelt).toContain(`${prefix}${first}idgets`);
  expect(spelt.join().includes('{')).toBe(false);
});

test('the method variants are all other methods and the own one in lower case; HEAD is paired with GET', () => {
  expect(otherMethods('GET')).toEqual(expect.arrayContaining(['HEAD', 'PROPFIND', 'FOO', 'get']));
  expect(otherMethods('GET')).not.toContain('GET');
  expect(otherMethods('POST')).not.toContain('HEAD');
  for (const destructive of ['PUT', 'DELETE', 'CONNECT'])
    expect(otherMethods('GET')).not.toContain(destructive);
});
