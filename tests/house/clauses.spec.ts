import { expect, test } from '@playwright/test';
import { type ClauseId, clauses, type MustId, type OpenId } from '../../contract/clauses.ts';
import { stages } from '../../contract/probe.ts';
import { probes } from '../../probes/index.ts';
import { paths, textOf, twice } from './tree.ts';

type Duty = Exclude<ClauseId, MustId | OpenId>;

/** Tests of the caller's duties, which no probe can judge: a file, and the title of a test in it. */
const duties: Readonly<Record<Duty, readonly (readonly [file: string, title: string])[]>> = {
  'CALLER-1': [
    [
      'tests/house/duties.spec.ts',
      'the key and the secret go to the token endpoint only (CALLER-1)',
    ],
    [
      'tests/client/wire.spec.ts',
      'a token is requested by one POST of the two credentials as JSON',
    ],
  ],
  'CALLER-2': [
    ['tests/client/secrets.spec.ts', 'no failure shows a secret'],
    ['tests/gate/leaks.spec.ts', 'a passing run leaves no secret behind'],
    ['tests/monitor/process.spec.ts', 'is on the page and in the metrics, and no secret is'],
    ['tests/house/secrets.spec.ts', 'nothing that is committed looks like a secret'],
  ],
  'CALLER-3': [
    ['tests/monitor/probe-round.spec.ts', 'one token serves all probes that accept any'],
    [
      'tests/monitor/round.spec.ts',
      'a refused token of the round is a finding, and the next attempt has a new one (CALLER-3)',
    ],
  ],
  'VERSION-1': [
    ['tests/house/duties.spec.ts', 'every path called is below /public-api/v1/ (VERSION-1)'],
    ['tests/client/wire.spec.ts', 'the client requests nothing outside /public-api/v1/'],
  ],
};

const areas = ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY', 'OPEN'];
const areaOf = (id: string): string => id.replace(/-\d+$/, '');
const names = probes.map(({ name }) => name);

test('every clause has its own id and sentence', () => {
  expect(twice(clauses.map(({ id }) => id))).toEqual([]);
  expect(twice(clauses.map(({ text }) => text))).toEqual([]);
});

test('every clause that a provider can keep has a probe', () => {
  const proved = new Set(probes.flatMap((probe) => probe.clauses));
  const ids = clauses.filter(({ level }) => level !== 'duty').map(({ id }) => id);
  expect(ids.filter((id) => ![...proved].some((one) => one === id))).toEqual([]);
});

test('every stage has a spec of the gate, in the order of the stages', () => {
  const specs = paths
    .filter((path) => /^tests\/contract\/\d-(?!specs).*\.spec\.ts$/.test(path))
    .sort();
  expect(specs).toEqual(
    stages.map((stage, index) => `tests/contract/${index + 1}-${stage}.spec.ts`),
  );
  for (const [index, stage] of stages.entries())
    expect(textOf(specs[index] ?? '')).toContain(`probesOf('${stage}')`);
});

/** The code of each probe by its name, with the helpers behind it. */
const codes = new Map(
  paths
    .filter((path) => /^probes\/(?!index\.)/.test(path))
    .flatMap((path) =>
      textOf(path)
        .split(/^(?=export const )/m)
        .slice(1),
    )
    .map((code) => [/^ {2}name: '(.*)',$/m.exec(code)?.[1] ?? '', code]),
);

test('a probe observes the open facts that it names, and no others', () => {
  for (const { name, clauses: about } of probes) {
    const code = (codes.get(name) ?? '').replace(/clauses: \[[^\]]*\]/, '');
    const ids = code.matchAll(/'(OPEN-\d+)'/g);
    const observed = [...new Set([...ids].map(([, id]) => id))].sort();
    expect(observed, name).toEqual(about.filter((id) => id.startsWith('OPEN-')).toSorted());
  }
});

test('every duty of a caller has its tests', () => {
  const missing = Object.values(duties)
    .flat()
    .filter(([file, title]) => !textOf(file).includes(title));
  expect(missing).toEqual([]);
});

test('every probe is listed once', () => {
  expect(names.toSorted(), 'import its file in probes/index.ts').toEqual([...codes.keys()].sort());
});

test('probes are listed in the order of the contract', () => {
  // The order within an area is free.
  const order = probes.map(({ clauses: [first = ''] }) => areas.indexOf(areaOf(first)));
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});
