import { expect, test } from '@playwright/test';
import { paths, programs } from './tree.ts';

const banned = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'types', 'shared'];

test('file and folder names say what they hold', () => {
  const last = (part: string) => part.split('.')[0]?.split(/[-_]/).at(-1)?.toLowerCase() ?? '';
  const dumps = paths.filter((path) => path.split('/').some((part) => banned.includes(last(part))));
  expect(dumps, 'name the thing that it holds').toEqual([]);
});

/** No identifier begins with a digit: `24-hours-on-every-date` is exported as `on24HoursOnEveryDate`. */
const identifierOf = (name: string): string =>
  name.replace(/^(?=\d)/, 'on-').replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

test('a probe and its export have the same name', () => {
  for (const { path, text } of programs) {
    if (!/^probes\/(?!index\.)/.test(path)) continue;
    const names = [...text.matchAll(/^ {2}name: '(.*)',$/gm)].map(([, name = '']) => name);
    for (const name of names)
      expect(name, 'name it in kebab case').toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    const exported = [...text.matchAll(/^export \w+ (\w+)/gm)].map((match) => match[1]);
    expect(exported, path).toEqual(names.map(identifierOf));
  }
});
