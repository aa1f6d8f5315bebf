import { expect, test } from '@playwright/test';
import { clauses } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import { readExpectations } from '../../gate/expectations.ts';
import { mutantCases } from '../../gate/mutant-case.ts';
import { probes } from '../../probes/index.ts';
import type { Call, ServiceState } from '../../sandbox/behaviour.ts';
import { faulty, mutants, variants } from '../../sandbox/faults/index.ts';
import { type SourceFile, tree, twice } from './tree.ts';

/** If more probes than this catch a mutant, it does not show that any single one of them is needed. */
const fewCatchers = 7;
const leastMutants = 120;
const leastVariants = 25;

const areas = ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY'] as const;

interface Fault {
  readonly area: string;
  readonly name: string;
  readonly means: string;
  readonly breaks: readonly string[];
  readonly caughtBy: readonly string[];
}

/** The parts of this project that the rules check. */
interface House {
  readonly must: readonly string[];
  /** The probes that judge. A probe that only observes reports no violation. */
  readonly probes: readonly Pick<Probe, 'name' | 'clauses'>[];
  readonly mutants: readonly Fault[];
  readonly variants: readonly Pick<Fault, 'name' | 'means'>[];
}

const house: House = {
  must: clauses.filter(({ level }) => level === 'must').map(({ id }) => id),
  probes: probes.filter(({ clauses: about }) => about.some((id) => !id.startsWith('OPEN-'))),
  mutants: mutantCases.filter(({ area }) => area !== 'VARIANT'),
  variants,
};

type HouseRule = (house: House) => string[];

const probesAreSeenToFail: HouseRule = ({ probes: list, mutants: all }) =>
  list.flatMap(({ name }) => {
    const catches = all.filter(({ caughtBy }) => caughtBy.includes(name));
    if (catches.length === 0) return [`${name} catches no mutant: write one that it catches`];
    return catches.some(({ caughtBy }) => caughtBy.length <= fewCatchers)
      ? []
      : [`${name} catches only what all others catch: write a mutant for it alone`];
  });

const faultsAreDistinct: HouseRule = ({ mutants: all, variants: other }) => [
  ...twice([...all, ...other].map(({ name }) => name)).map((name) => `two faults are ${name}`),
  ...twice([...all, ...other].map(({ means }) => means)).map(
    (means) => `two faults mean "${means}": say what differs, or take one away`,
  ),
];

/** Whether `tests/mutants.json` has no expectation for a fault yet. */
const isNew = ({ breaks, caughtBy }: Fault): boolean => breaks.length + caughtBy.length === 0;
const update = (name: string): string => `npm run mutants -- --update ${name}`;

const mutantsNameWhatTheyBreak: HouseRule = ({ must, probes: list, mutants: faults }) => {
  const names = list.map(({ name }) => name);
  return [
    ...faults.filter(isNew).map(({ name }) => `${name} has no expectation: ${update(name)}`),
    ...faults
      .filter((fault) => !isNew(fault))
      .flatMap(({ area, name, breaks, caughtBy }) => [
        ...breaks
          .filter((id) => !must.includes(id))
          .map((id) => `${name} breaks no ${id}: no such`),
        ...caughtBy.filter((one) => !names.includes(one)).map((one) => `${name}: no probe ${one}`),
        ...(breaks.some((id) => id.startsWith(`${area}-`))
          ? []
          : [`${name} breaks no ${area} clause: move it to the area of a clause that it breaks`]),
        ...(caughtBy.length > 0
          ? []
          : [`${name} is caught by no probe: write one that does, then ${update(name)}`]),
        ...twice([...breaks, ...caughtBy]).map((one) => `${name} names ${one} twice`),
      ]),
    ...must
      .filter((id) => !faults.some(({ breaks }) => breaks.includes(id)))
      .map((id) => `no mutant breaks ${id}: it has never been seen violated, write one`),
  ];
};

test('every expectation belongs to an existing mutant', () => {
  const names = house.mutants.map(({ name }) => name);
  const gone = Object.keys(readExpectations()).filter((name) => !names.includes(name));
  expect(gone, 'run npm run mutants -- --update').toEqual([]);
});

const faultsAreMany: HouseRule = ({ mutants: all, variants: other }) => [
  ...(all.length < leastMutants ? [`${all.length} mutants: at least ${leastMutants}`] : []),
  ...(other.length < leastVariants ? [`${other.length} variants: at least ${leastVariants}`] : []),
  ...areas
    .filter((name) => !all.some(({ area }) => area === name))
    .map((name) => `no mutant of the area ${name}`),
];

for (const [what, rule] of [
  ['every probe that judges catches a mutant', probesAreSeenToFail],
  ['every fault has its own name and meaning', faultsAreDistinct],
  ['every mutant names existing clauses and probes', mutantsNameWhatTheyBreak],
  ['every area has enough faults', faultsAreMany],
] as const)
  test(what, () => {
    expect(rule(house)).toEqual([]);
  });

/** Checks README files only, since a changelog states the numbers of its time. */
const countsAreRight = (files: readonly SourceFile[], { mutants: all, variants: other }: House) =>
  files
    .filter(({ path }) => path.endsWith('README.md'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\b(\d+)\s(?:permitted\s)?(faults|variants) (?:of the sandbox|may be)/g)]
        .map(([, number = '', noun = '']) => ({ number, noun }))
        .map((one) => ({ ...one, right: one.noun === 'faults' ? all.length : other.length }))
        .filter(({ number, right: there }) => Number(number) !== there)
        .map(({ number, noun, right: there }) => `${path}: ${number} ${noun}, write ${there}`),
    );

test('documents state how many mutants and variants there are', () => {
  expect(countsAreRight(tree, house)).toEqual([]);
  const text = 'on 3 faults of the sandbox, and none of\n2 permitted variants may be reported';
  const one = { ...house, mutants: [fault], variants: [fault, fault] };
  expect(countsAreRight([{ path: 'gate/README.md', text }], one)).toEqual([
    'gate/README.md: 3 faults, write 1',
  ]);
});

/** The complaints of a rule about this project with one change. */
const when = (rule: HouseRule, change: Partial<House>): string[] => rule({ ...house, ...change });

const probe = { name: 'right-credentials-get-a-token', clauses: ['TOKEN-1'] } as const;
const fault = {
  area: 'TOKEN',
  name: 'one',
  means: 'Something is wrong',
  breaks: ['TOKEN-1'],
  caughtBy: [probe.name],
};

test('a probe proves that it can fail by a mutant that few probes catch', () => {
  const list = [probe];
  const many = Array.from({ length: 7 }, (_, index) => `other-${index}`);
  const caught = (...caughtBy: readonly string[]) =>
    when(probesAreSeenToFail, { probes: list, mutants: [{ ...fault, caughtBy }] });
  expect(caught(probe.name)).toEqual([]);
  expect(caught('another')).toEqual([`${probe.name} catches no mutant: write one that it catches`]);
  expect(caught(probe.name, ...many.slice(1))).toEqual([]);
  expect(caught(probe.name, ...many)).toHaveLength(1);
});

test('two faults with one name or one meaning are found, whether mutant or variant', () => {
  const distinct = (name: string, means: string) =>
    when(faultsAreDistinct, { mutants: [fault], variants: [{ name, means }] });
  expect(distinct('two', 'Something differs')).toEqual([]);
  expect(distinct('one', 'Something differs')).toHaveLength(1);
  expect(distinct('two', fault.means)).toHaveLength(1);
});

test('a mutant that names an unknown probe or clause is found, and so is a clause without a mutant', () => {
  const of = (change: Partial<Fault>) =>
    when(mutantsNameWhatTheyBreak, { must: ['TOKEN-1'], mutants: [{ ...fault, ...change }] });
  expect(of({})).toEqual([]);
  expect(of({ breaks: ['TOKEN-1', 'TOKEN-9'] })).toEqual(['one breaks no TOKEN-9: no such']);
  expect(of({ caughtBy: [probe.name, 'no-such-probe'] })).toEqual(['one: no probe no-such-probe']);
  expect(of({ caughtBy: [] })).toHaveLength(1);
  expect(of({ area: 'ERROR' })).toHaveLength(1);
  expect(of({ caughtBy: [probe.name, probe.name] })).toHaveLength(1);
  expect(of({ breaks: [] })).toHaveLength(2);
  expect(of({ breaks: [], caughtBy: [] })).toEqual([
    'one has no expectation: npm run mutants -- --update one',
    'no mutant breaks TOKEN-1: it has never been seen violated, write one',
  ]);
});

test('missing faults are found, and areas without any fault', () => {
  const few = house.mutants.filter(({ area }) => area === 'ERROR');
  expect(when(faultsAreMany, { mutants: few, variants: variants.slice(0, 24) })).toHaveLength(5);
});

const call: Call = {
  method: 'GET',
  path: '/public-api/v1/widgets',
  query: new URLSearchParams(),
  url: '/public-api/v1/widgets',
  headers: {},
  rawHeaders: [],
  body: '',
  httpVersion: '1.1',
  connection: {},
  now: 0,
};

/** How many of a thousand tokens a mutant also accepts in lower case or in upper case. */
function foundInAnotherCase(name: string): number {
  const behaviour = faulty(name);
  const texts = Array.from({ length: 1000 }, () => {
    const account = { apiKey: '', secretKey: '' };
    const state: ServiceState = { account, resources: [], tokens: new Map(), memo: new Map() };
    const text = behaviour.mint(state, 0);
    behaviour.keep({ text, madeAt: 0, memo: new Map() }, state);
    behaviour.find(text, state, call);
    return [text.toLowerCase(), text.toUpperCase()].filter(
      (other) => other !== text && behaviour.find(other, state, call) !== undefined,
    );
  });
  return texts.filter((found) => found.length > 0).length;
}

test('the outcome of a mutant that confuses re-cased tokens does not depend on chance', () => {
  const finders = mutants.BEARER.filter(({ make }) => make().find !== undefined);
  const expectations = readExpectations();
  expect(finders.length).toBeGreaterThan(20);
  for (const { name } of finders) {
    const caught = expectations[name]?.caughtBy.includes('a-re-cased-token-is-refused');
    expect(foundInAnotherCase(name), name).toBe(caught ? 1000 : 0);
  }
});
