import { expect, test } from '@playwright/test';
import { merged } from '../../contract/attempts/deviation.ts';
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
  const endpoint = { ...widgets, headers: { 'X-Role': 'reader', Forwarded: 'for=1' } };
  const names = headerWays(endpoint)
    .filter((way) => way.length > 1)
    .flatMap((way) => Object.keys(merged(way, endpoint).headers ?? {}));
  expect(names).not.toContain('X-Role');
  expect(names).not.toContain('Forwarded');
  expect(names).toContain('X-Roles');
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
    expect.arrayContaining([`${prefix}public/../widgets?all=1`, `${prefix}widgets/x.css?all=1`]),
  );
});

test('the method variants are all other methods; HEAD is paired with GET', () => {
  expect(methodsBesides('GET')).toEqual(expect.arrayContaining(['HEAD', 'PROPFIND', 'FOO']));
  expect(methodsBesides('GET')).not.toContain('GET');
  expect(methodsBesides('POST')).not.toContain('HEAD');
  for (const destructive of ['PUT', 'DELETE', 'CONNECT'])
    expect(methodsBesides('GET')).not.toContain(destructive);
});
