import { expect, test } from '@playwright/test';
import { importedBy, mayImport, opensSecrets } from './boundaries.ts';
import { importsOf } from './imports.ts';
import { programs } from './tree.ts';

const imports = importsOf(programs);
const notTests = imports.filter(({ from }) => !from.startsWith('tests/'));
const outsideTests = programs.filter(({ path }) => !path.startsWith('tests/'));

const within = (file: string, place: string): boolean =>
  file === place || place === '' || (place.endsWith('/') && file.startsWith(place));

test('files import only what the table allows', () => {
  const refused = imports
    .filter(({ ours }) => ours)
    .flatMap(({ from, to }) => {
      const [who, ...whom] = mayImport.find(([folder]) => within(from, folder)) ?? [];
      if (who === undefined) return [`${from} has no row in tests/house/boundaries.ts`];
      return whom.some((place) => within(to, place))
        ? []
        : [`${from} imports ${to}, but ${who} may import ${whom} only: pass it in instead`];
    });
  expect([...new Set(refused)]).toEqual([]);
});

test('each package has its own importers, and only the HTTP client opens sockets', () => {
  const refused = notTests.flatMap(({ from, to, ours, typeOnly }) => {
    if (ours || (to.startsWith('node:') && (typeOnly || !importedBy.has(to)))) return [];
    const known = importedBy.get(to) ?? [];
    if (known.some((place) => within(from, place))) return [];
    return [`${from} imports ${to}, which is for ${known}: use what is exported there`];
  });
  expect(refused).toEqual([]);
  // The example is a separate project, which does not have this project's client.
  const fetching = outsideTests.filter(
    ({ path, text }) => !/^(tools\/bench|pacts\/example)\//.test(path) && /\bfetch\(/.test(text),
  );
  expect(
    fetching.map(({ path }) => path),
    'use contract/http/client.ts',
  ).toEqual([]);
});

test('tests that start programs fail if one prints a secret', () => {
  const starters = new Set(
    imports
      .filter(({ to, names }) => to === 'tests/process.ts' && /start|typed/.test(names.join()))
      .map(({ from }) => from),
  );
  for (const starter of starters)
    for (const { from, to, typeOnly } of imports)
      if (to === starter && !typeOnly) starters.add(from);
  const refused = imports
    .filter(({ from, to }) => starters.has(from) && to === '@playwright/test')
    .filter(({ names }) => names.includes('test'))
    .map(({ from }) => from);
  expect(refused, 'import test from tests/test.ts').toEqual([]);
});

test('only the listed files read the text of a secret', () => {
  const secret = 'contract/secrets/secret.ts';
  const opening = notTests
    .filter(({ to, names }) => to === secret && /\*|\bopen\b/.test(names.join()))
    .map(({ from }) => from)
    .filter((from) => !opensSecrets.includes(from));
  const calling = outsideTests
    .filter(({ path, text }) => path !== secret && text.includes('Secret.open'))
    .map(({ path }) => path);
  expect([...opening, ...calling], 'use derive, is or seal').toEqual([]);
});
