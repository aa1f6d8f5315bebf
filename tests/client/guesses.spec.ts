import { expect, test } from '@playwright/test';
import { haveParameters, merged } from '../../contract/attempts/deviation.ts';
import { headerWays } from '../../contract/attempts/headers.ts';
import {
  methodWays,
  otherMethods,
  pathWays,
  queryWays,
  spellingWays,
} from '../../contract/attempts/paths.ts';
import { prefix } from '../../contract/http/request.ts';

const pathVariants = (path: string): (string | undefined)[] => {
  const endpoint = { method: 'GET', path };
  return spellingWays(endpoint).map((way) => merged(way, endpoint).path);
};
const methodsBesides = (own: string) => otherMethods(own).map((way) => merged(way, widgets).method);
const widgets = { method: 'GET', path: `${prefix}widgets` };

test('the guesses of a request have different names, are sendable, and no server refuses so many', () => {
  for (const way of [...headerWays(widgets), ...queryWays, ...methodWays('GET')]) {
    const { headers = {}, path = '' } = merged(way, widgets);
    const guessed = Object.entries(headers);
    const parameters = way.filter(({ items = [] }) => items[0]?.part === 'parameter');
    if (way.length > 1)
      expect(guessed.length + parameters.length).toBeGreaterThanOrEqual(way.length - 1);
    expect(guessed.length).toBeLessThanOrEqual(80);
    expect(JSON.stringify(guessed).length + path.length).toBeLessThan(4096);
    for (const [name, value] of guessed) {
      expect(name).toMatch(/^[A-Za-z0-9-]+$/);
      expect(`${value}`).toMatch(/^[\x20-\x7e]*$/);
    }
  }
});

test("the endpoint's own headers are not tried as guesses", () => {
  const headers = { 'X-Role': 'reader', Forwarded: 'for=1' };
  const names = headerWays({ ...widgets, headers })
    .filter((way) => way.length > 1)
    .flatMap((way) => Object.keys(merged(way, widgets).headers ?? {}));
  expect(names).not.toContain('X-Role');
  expect(names).not.toContain('Forwarded');
  expect(names).toContain('X-Roles');
});

test('guessed parameters follow the path and its own query', () => {
  const way = [...haveParameters('a=1'), ...haveParameters('b=1')];
  expect(merged(way, widgets).path).toBe(`${prefix}widgets?a=1&b=1`);
  const own = { ...widgets, path: `${prefix}widgets?own=0` };
  expect(merged(way, own).path).toBe(`${prefix}widgets?own=0&a=1&b=1`);
});

for (const path of ['widgets', 'widgets/7/parts', 'w', '7', 'Ü?all=1'])
  test(`every spelling of ${path} differs from it and stays below the prefix`, () => {
    const spelt = pathVariants(prefix + path);
    expect(spelt.length).toBeGreaterThan(60);
    expect(new Set(spelt).size).toBe(spelt.length);
    for (const one of spelt) expect(one?.startsWith(prefix)).toBe(true);
    expect(spelt).not.toContain(prefix + path);
  });

test('a path variant of an endpoint keeps its query', () => {
  const endpoint = { method: 'GET', path: `${prefix}widgets?all=1` };
  expect(pathWays(endpoint).map((way) => merged(way, endpoint).path)).toEqual(
    expect.arrayContaining([
      `${prefix}widgets/health?all=1`,
      `${prefix}public/widgets?all=1`,
      `${prefix}widgets/x.css?all=1`,
    ]),
  );
});

test('a path variant keeps its query unchanged after the path', () => {
  const plain = pathVariants(`${prefix}widgets`);
  const variants = pathVariants(`${prefix}widgets?All=1`);
  const queried = plain.map((path = '') => `${path}${path.includes('?') ? '&' : '?'}All=1`);
  expect(variants).toEqual(queried);
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
  expect(methodsBesides('GET')).toEqual(expect.arrayContaining(['HEAD', 'PROPFIND', 'FOO', 'get']));
  expect(methodsBesides('GET')).not.toContain('GET');
  expect(methodsBesides('POST')).not.toContain('HEAD');
  for (const destructive of ['PUT', 'DELETE', 'CONNECT'])
    expect(methodsBesides('GET')).not.toContain(destructive);
});
