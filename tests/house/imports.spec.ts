import { expect, test } from '@playwright/test';
import { importedBy, mayImport, opensSecrets, readsEnvironment } from './boundaries.ts';
import { type Import, importsOf, rings } from './imports.ts';
import { programs, type Rule, tree } from './tree.ts';

const within = (file: string, place: string): boolean =>
  file === place || place === '' || (place.endsWith('/') && file.startsWith(place));

const bounds: Rule = (files) => {
  const found = importsOf(files)
    .filter(({ ours }) => ours)
    .flatMap(({ from, to }) => {
      const row = mayImport.find(([who]) => within(from, who));
      if (row === undefined)
        return [`${from} has no row in tests/house/boundaries.ts: say there what it may import`];
      const [who, ...whom] = row;
      return whom.some((place) => within(to, place))
        ? []
        : [`${from} imports ${to}, but ${who} may import ${list(whom)} only: pass it in instead`];
    });
  return [...new Set(found)];
};

const list = (words: readonly string[]): string => words.join(', ') || 'nothing of ours';

const isTest = ({ from }: Import): boolean => from.startsWith('tests/');

const packages: Rule = (files) => {
  const foreign = importsOf(files).filter((one) => !one.ours && !isTest(one));
  const strangers = foreign.flatMap(({ from, to, typeOnly }) => {
    if (to.startsWith('node:') && (typeOnly || !Object.hasOwn(importedBy, to))) return [];
    const known = importedBy[to] ?? [];
    if (known.some((place) => within(from, place))) return [];
    return [`${from} imports ${to}, which is for ${list(known)}: use what is exported there`];
  });
  // The example is a separate project, which does not have this project's client.
  const fetching = programs(files)
    .filter(
      ({ path, text }) =>
        !/^(tools\/bench|pacts\/example|tests)\//.test(path) && /\bfetch\(/.test(text),
    )
    .map(({ path }) => `${path} calls fetch: send requests by contract/http/client.ts`);
  return [...strangers, ...fetching];
};

/** An unused row would allow an unwanted import later without notice. */
const idleRows: Rule = (files) => {
  const imports = importsOf(files);
  return [
    ...mayImport
      .filter(([who]) => !files.some(({ path }) => within(path, who)))
      .map(([who]) => `no file lies in ${who}: take its row away`),
    ...Object.entries(importedBy).flatMap(([name, known]) =>
      known
        .filter((place) => !imports.some(({ from, to }) => within(from, place) && to === name))
        .map((place) => `${place} does not import ${name}: take it out of the row`),
    ),
  ];
};

const noRings: Rule = (files) =>
  rings(importsOf(files)).map((ring) => `${ring}: move what both need into a file of its own`);

const secretsStayShut: Rule = (files) => [
  ...importsOf(files)
    .filter((one) => one.to === 'contract/secrets/secret.ts' && !isTest(one))
    .filter(({ from, names }) => /\*|\bopen\b/.test(names.join()) && !opensSecrets.includes(from))
    .map(
      ({ from }) => `${from} imports open: only the client sees secrets, use derive, is or seal`,
    ),
  ...programs(files)
    .filter(({ path }) => path !== 'contract/secrets/secret.ts' && !path.startsWith('tests/'))
    .filter(({ text }) => text.includes('Secret.open'))
    .map(({ path }) => `${path} uses Secret.open: only the client sees secrets`),
];

const oneReader: Rule = (files) =>
  programs(files)
    .filter(({ path }) => !readsEnvironment.some((place) => within(path, place)))
    .filter(({ text }) => /(?<!`)\bprocess\.env\b/.test(text))
    .map(({ path }) => `${path} reads process.env: let settings.ts read it, and pass it on`);

for (const [what, rule] of [
  ['files import only what the table allows', bounds],
  ['each package has its own importers, and only the HTTP client opens sockets', packages],
  ['no row of the tables is idle', idleRows],
  ['no files import one another in a cycle', noRings],
  ['only the listed files read the text of a secret', secretsStayShut],
  ['only settings.ts reads the environment', oneReader],
] as const)
  test(what, () => {
    expect(rule(tree)).toEqual([]);
  });

for (const program of ['gate/', 'monitor/', 'pacts/'])
  test(`only ${program}, tools/ and tests/ may import from ${program}`, () => {
    const others = mayImport.filter(
      ([who, ...whom]) =>
        ![program, 'tools/'].some((place) => within(who, place)) &&
        whom.some((place) => within(place, program)),
    );
    expect(others).toEqual([]);
  });

/** The complaints of a rule about one made-up file. */
const of = (rule: Rule, path: string, ...lines: readonly string[]): string[] =>
  rule([{ path, text: lines.join('\n') }]);

for (const [from, to] of [
  ['contract/judge.ts', '../probes/index.ts'],
  ['probes/one.ts', './another.ts'],
  ['probes/one.ts', '../sandbox/behaviour.ts'],
  ['sandbox/provider.ts', '../contract/time/clock.ts'],
  ['monitor/target/run.ts', '../watch/watch.ts'],
  ['monitor/target/run.ts', '../../sandbox/provider.ts'],
  ['monitor/target/run.ts', '../../settings.ts'],
  ['monitor/target/run.ts', '../../probes/one.ts'],
  ['monitor/main.ts', '../sandbox/faults/index.ts'],
  ['gate/command.ts', '../sandbox/provider.ts'],
  ['contract/report/html.ts', '../../gate/command.ts'],
  ['gate/command.ts', '../tests/programs.ts'],
  ['elsewhere/one.ts', '../contract/time/clock.ts'],
] as const)
  test(`the table refuses ${from} the import of ${to}`, () => {
    expect(of(bounds, from, `import { x } from '${to}';`)).toHaveLength(1);
    expect(of(bounds, from, `import type {`, '  x,', `} from '${to}';`)).toHaveLength(1);
    expect(of(bounds, from, `const x = await import('${to}');`)).toHaveLength(1);
    expect(of(bounds, from, `export * from '${to}';`)).toHaveLength(1);
  });

test('the table allows each folder its own imports, and ignores quoted imports', () => {
  expect(of(bounds, 'probes/index.ts', "import { one } from './one.ts';")).toEqual([]);
  expect(of(bounds, 'gate/mutant-case.ts', "import { x } from '../sandbox/jwt.ts';")).toEqual([]);
  expect(of(bounds, 'tests/x/y.spec.ts', "import { x } from '../../sandbox/jwt.ts';")).toEqual([]);
  expect(of(bounds, 'probes/one.ts', `  "import { x } from './another.ts'";`)).toEqual([]);
});

test('a package imported outside its own file is found, including its types', () => {
  const remedy = 'which is for monitor/metrics/: use what is exported there';
  const line = "import { Gauge } from 'prom-client';";
  expect(of(packages, 'monitor/run.ts', line)).toEqual([
    `monitor/run.ts imports prom-client, ${remedy}`,
  ]);
  expect(of(packages, 'monitor/metrics/own.ts', line)).toEqual([]);
  expect(of(packages, 'tests/monitor/run.spec.ts', line)).toEqual([]);
  expect(of(packages, 'monitor/run.ts', "import type { X } from 'hono/html';")).toHaveLength(1);
  expect(of(packages, 'monitor/run.ts', "import got from 'got';")).toHaveLength(1);
});

test('a raw socket is refused to all files but the listed ones', () => {
  expect(of(packages, 'monitor/run.ts', "import http from 'node:http';")).toHaveLength(1);
  expect(of(packages, 'monitor/run.ts', "import type http from 'node:http';")).toEqual([]);
  const builtin = "const http = process.getBuiltinModule('node:http');";
  expect(of(packages, 'monitor/run.ts', builtin)).toHaveLength(1);
  expect(of(packages, 'contract/http/transport.ts', builtin)).toEqual([]);
  expect(of(packages, 'monitor/run.ts', "import path from 'node:path';")).toEqual([]);
  expect(of(packages, 'probes/one.ts', 'await fetch(address);')).toHaveLength(1);
});

test('a row without its file or its import is idle', () => {
  expect(idleRows([])).toContain('no file lies in sandbox/: take its row away');
  expect(idleRows([])).toContain('contract/schema.ts does not import ajv: take it out of the row');
});

test('an import cycle of any length is found, also one of types', () => {
  const file = (path: string, line: string) => ({ path: `contract/${path}.ts`, text: line });
  const ring = [
    file('a', "import { b } from './b.ts';"),
    file('b', "export { c } from './c.ts';"),
    file('c', "import './a.ts';"),
    file('d', "import { a } from './a.ts';"),
  ];
  expect(noRings(ring)).toEqual([
    expect.stringContaining('contract/a.ts → contract/b.ts → contract/c.ts → contract/a.ts: move'),
  ]);
  expect(noRings([...ring.slice(0, 2), file('c', "import type { A } from './a.ts';")])).toEqual([
    expect.stringContaining('contract/c.ts → contract/a.ts: move'),
  ]);
  expect(noRings(ring.slice(0, 2))).toEqual([]);
});

test('a file that opens a secret without permission is found, also under another name', () => {
  for (const line of [
    "import { open, type Secret } from '../contract/secrets/secret.ts';",
    "import { type Secret, open as look } from '../contract/secrets/secret.ts';",
    "import * as secrets from '../contract/secrets/secret.ts';",
    'const text = Secret.open(token);',
  ])
    expect(of(secretsStayShut, 'monitor/run.ts', line)).toHaveLength(1);
  const fine = "import { Secret, seal } from '../contract/secrets/secret.ts';";
  expect(of(secretsStayShut, 'monitor/run.ts', fine)).toEqual([]);
});

test('a second reader of the environment is found', () => {
  expect(of(oneReader, 'monitor/run.ts', 'const { PATH } = process.env;')).toHaveLength(1);
  expect(of(oneReader, 'monitor/run.ts', '/** Names, as `process.env` has them. */')).toEqual([]);
});
