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

test('a probe, its file and its export have the same name', () => {
  for (const { path, text } of programs) {
    const [, name] = /^probes\/(?!index\.ts)(.+)\.ts$/.exec(path) ?? [];
    if (name === undefined) continue;
    expect(name, 'name it in kebab case').toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(/^ {2}name: '(.*)',$/m.exec(text)?.[1], path).toBe(name);
    const exported = [...text.matchAll(/^export \w+ (\w+)/gm)].map((match) => match[1]);
    expect(exported, path).toEqual([identifierOf(name)]);
  }
});

test('comments have at most 120 columns', () => {
  const wide = programs.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const isComment = /^\s*(\/\/|\/\*|\*) /.test(line);
      return isComment && line.length > 120 ? [`${path}:${index + 1}`] : [];
    }),
  );
  expect(wide, 'break the line').toEqual([]);
});
