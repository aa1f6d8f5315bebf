import { expect, test } from '@playwright/test';
import { type ClauseId, clauses, type MustId, type OpenId } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import { probes } from '../../probes/index.ts';
import { type SourceFile, tree, twice } from './tree.ts';

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
    ['tests/report/write.spec.ts', 'no file holds a secret in any form, although the round does'],
    ['tests/monitor/run.spec.ts', 'no secret is in a run, whatever the provider echoes'],
    ['tests/house/secrets.spec.ts', 'nothing that is committed looks like a secret'],
  ],
  'CALLER-3': [
    [
      'tests/client/token-client.spec.ts',
      'a token is renewed five minutes before its end, and not a millisecond earlier',
    ],
    [
      'tests/client/token-client.spec.ts',
      'a 401 renews the token once, and the call is repeated once (CALLER-3)',
    ],
    ['tests/client/token-client.spec.ts', 'a refused token is recorded before it is renewed'],
  ],
  'VERSION-1': [
    ['tests/house/duties.spec.ts', 'every path called is below /public-api/v1/ (VERSION-1)'],
    ['tests/client/wire.spec.ts', 'the client requests nothing outside /public-api/v1/'],
  ],
};

/** The parts of this project that the rules check. */
interface House {
  readonly clauses: readonly {
    readonly id: string;
    readonly level: string;
    readonly text: string;
  }[];
  readonly duties: Readonly<Record<string, (typeof duties)[Duty]>>;
  readonly probes: readonly Omit<Probe, 'run'>[];
  readonly files: readonly SourceFile[];
}

const house: House = { clauses, duties, probes, files: tree };

type HouseRule = (house: House) => string[];

const areas = ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY', 'OPEN'];
const areaOf = (id = ''): string => id.replace(/-\d+$/, '');

const clausesAreDistinct: HouseRule = ({ clauses: all }) => [
  ...twice(all.map(({ id }) => id)).map((id) => `${id} stands twice in contract/clauses.ts`),
  ...twice(all.map(({ text }) => text)).map((text) => `two clauses say "${text}": which is meant?`),
];

const everyClauseIsProved: HouseRule = ({ clauses: all, probes: list }) =>
  all
    .filter(({ level }) => level !== 'duty')
    .filter(({ id }) => !list.some((probe) => probe.clauses.some((about) => about === id)))
    .map(({ id }) => `${id} has no probe: write one in probes/`);

/** The gate's report has a test for each clause. */
const everyClauseIsReported: HouseRule = ({ clauses: all, files }) =>
  all
    .filter(({ level }) => level === 'must')
    .filter(({ id }) => {
      const path = `tests/contract/${areaOf(id).toLowerCase()}.spec.ts`;
      return files.find((file) => file.path === path)?.text.includes(`holds('${id}');`) !== true;
    })
    .map(({ id }) => `${id} has no test: write holds('${id}'); in tests/contract/`);

const openFactsAreObserved: HouseRule = ({ probes: list, files }) =>
  list.flatMap(({ name, clauses: about }) => {
    const text = files.find(({ path }) => path === `probes/${name}.ts`)?.text ?? '';
    const observed = [...text.matchAll(/\bobserve\(\s*'(OPEN-\d+)'/g)].map((match) => match[1]);
    const named: string[] = about.filter((id) => id.startsWith('OPEN-'));
    return [
      ...named
        .filter((id) => !observed.includes(id))
        .map((id) => `${name} names ${id} and never observes it: observe it, or name it not`),
      ...[...new Set(observed)]
        .filter((id) => id !== undefined && !named.includes(id))
        .map((id) => `${name} observes ${id}: name it in its clauses`),
    ];
  });

const dutiesAreTested: HouseRule = ({ clauses: all, duties: table, files }) =>
  all
    .filter(({ level }) => level === 'duty')
    .flatMap(({ id }) => {
      const tests = table[id] ?? [];
      if (tests.length === 0) return [`${id} is a duty without a test: name one in the table`];
      return tests
        .filter(
          ([file, title]) => !files.some(({ path, text }) => path === file && text.includes(title)),
        )
        .map(([file, title]) => `${id}: ${file} has no test "${title}": write it, or name another`);
    });

const probesAreListed: HouseRule = ({ probes: list, files }) => {
  const names = list.map(({ name }) => name);
  const written = files.flatMap(
    ({ path }) => /^probes\/(?!index\.)(.+)\.ts$/.exec(path)?.[1] ?? [],
  );
  return [
    ...written
      .filter((name) => !names.includes(name))
      .map((name) => `${name} is not in probes/index.ts: list it there`),
    ...twice(names).map((name) => `${name} stands twice in probes/index.ts`),
  ];
};

/** Probes are ordered by area; the order within an area is free. */
const probesAreInOrder: HouseRule = ({ probes: list }) => {
  const place = ({ clauses: [first] }: (typeof list)[number]): number =>
    areas.indexOf(areaOf(first));
  return list.flatMap((probe, index) => {
    const before = list[index - 1];
    return before === undefined || place(before) <= place(probe)
      ? []
      : [`${probe.name} stands behind ${before.name}: list the areas in the contract's order`];
  });
};

const probesKnowTheirTurn: HouseRule = ({ probes: list }) =>
  list.flatMap(({ name, order, needs, intrusive }) => [
    ...(order !== undefined && needs !== undefined
      ? [`${name} has an order and needs a clock: what has an order runs in the present`]
      : []),
    ...(intrusive === true && (order === 'first' || needs !== undefined)
      ? [`${name} may lock the account: let it run at the end, without a clock`]
      : []),
  ]);

for (const [what, rule] of [
  ['every clause has its own id and sentence', clausesAreDistinct],
  ['every clause that a provider can keep has a probe', everyClauseIsProved],
  ['every clause that a provider must keep is a test of the gate', everyClauseIsReported],
  ['a probe observes the open facts that it names, and no others', openFactsAreObserved],
  ['every duty of a caller has its tests', dutiesAreTested],
  ['every probe is listed once', probesAreListed],
  ['probes are listed in the order of the contract', probesAreInOrder],
  [
    'a probe has its turn or needs a clock, and may lock the account only at the end',
    probesKnowTheirTurn,
  ],
] as const)
  test(what, () => {
    expect(rule(house)).toEqual([]);
  });

/** The complaints of a rule about this project with one change. */
const when = (rule: HouseRule, change: Partial<House>): string[] => rule({ ...house, ...change });

const first = { id: 'TOKEN-1', level: 'must', text: 'A sentence' };
const probe = { name: 'right-credentials-get-a-token', clauses: ['TOKEN-1'] } as const;

test('a duplicate clause is found, by its id and by its sentence', () => {
  const again = { ...first, id: 'TOKEN-2' };
  expect(when(clausesAreDistinct, { clauses: [first, again] })).toHaveLength(1);
  expect(when(clausesAreDistinct, { clauses: [first, { ...first, text: 'x' }] })).toHaveLength(1);
});

test('a clause that is no test of the gate is found', () => {
  expect(when(everyClauseIsReported, { clauses: [{ ...first, id: 'TOKEN-99' }] })).toEqual([
    "TOKEN-99 has no test: write holds('TOKEN-99'); in tests/contract/",
  ]);
});

test('a clause without a probe is found, including open facts', () => {
  const about = (id: string) => probes.filter((one) => !one.clauses.some((other) => other === id));
  const of = (id: string) =>
    when(everyClauseIsProved, {
      clauses: house.clauses.filter((clause) => clause.id === id),
      probes: about(id),
    });
  expect(of('EXPIRY-6')).toEqual(['EXPIRY-6 has no probe: write one in probes/']);
  expect(of('OPEN-6')).toHaveLength(1);
});

test('an open fact must be observed where it is named, and named where it is observed', () => {
  const name = 'open-facts-of-the-scheme';
  const observing = (line: string) =>
    when(openFactsAreObserved, {
      probes: [{ name, clauses: ['OPEN-6'] }],
      files: [{ path: `probes/${name}.ts`, text: line }],
    });
  expect(observing("judge.observe(\n  'OPEN-6', 'case', 'no');")).toEqual([]);
  expect(observing('')).toEqual([
    `${name} names OPEN-6 and never observes it: observe it, or name it not`,
  ]);
  expect(observing("judge.observe('OPEN-6', …); judge.observe('OPEN-7', …);")).toEqual([
    `${name} observes OPEN-7: name it in its clauses`,
  ]);
});

test('a duty whose test is gone is found, and so is a duty without an entry', () => {
  const duty = { ...first, level: 'duty' };
  const message = { 'TOKEN-1': [['tests/x.spec.ts', 'is so']] } as const;
  const tested = (text: string) =>
    when(dutiesAreTested, {
      clauses: [duty],
      duties: message,
      files: [{ path: 'tests/x.spec.ts', text }],
    });
  expect(tested("test('is so', …)")).toEqual([]);
  expect(tested("test('is not', …)")).toEqual([
    'TOKEN-1: tests/x.spec.ts has no test "is so": write it, or name another',
  ]);
  const without = ['TOKEN-1 is a duty without a test: name one in the table'];
  expect(when(dutiesAreTested, { clauses: [duty] })).toEqual(without);
  expect(when(dutiesAreTested, { clauses: [duty], duties: { 'TOKEN-1': [] } })).toEqual(without);
});

test('a probe that is unlisted, listed twice or listed in another area is found', () => {
  const files = [{ path: `probes/${probe.name}.ts`, text: '' }];
  expect(when(probesAreListed, { probes: [probe], files })).toEqual([]);
  expect(when(probesAreListed, { probes: [], files })).toEqual([
    `${probe.name} is not in probes/index.ts: list it there`,
  ]);
  expect(when(probesAreListed, { probes: [probe, probe], files })).toHaveLength(1);
  expect(when(probesAreInOrder, { probes: [...probes, probe] })).toEqual([
    expect.stringMatching(/^right-credentials-get-a-token stands behind open-facts/),
  ]);
});

test('a probe with an order and a clock is found, and so is a probe that locks the account too early', () => {
  const turn = (change: Partial<Probe>) =>
    when(probesKnowTheirTurn, { probes: [{ ...probe, ...change }] });
  expect(turn({ order: 'first', needs: 'clock' })).toHaveLength(1);
  expect(turn({ order: 'last', intrusive: true })).toEqual([]);
  expect(turn({ intrusive: true })).toEqual([]);
  expect(turn({ order: 'first', intrusive: true })).toHaveLength(1);
  expect(turn({ needs: 'clock', intrusive: true })).toHaveLength(1);
});
