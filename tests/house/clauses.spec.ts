import { expect, test } from '@playwright/test';
import { clauses, leftOpen, mustHold } from '../../contract/clauses.ts';
import { stages } from '../../contract/probe.ts';
import { probes } from '../../probes/index.ts';
import { paths, programs, textOf, twice } from './tree.ts';

const areas = ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY', 'OPEN'];
const areaOf = (id: string): string => id.replace(/-\d+$/, '');
const names = probes.map(({ name }) => name);

test('every clause has its own id and sentence', () => {
  expect(twice(clauses.map(({ id }) => id))).toEqual([]);
  expect(twice(clauses.map(({ text }) => text))).toEqual([]);
});

test('every clause that a provider can keep has a probe', () => {
  const proved = new Set(probes.flatMap((probe) => probe.clauses));
  const ids = [...mustHold, ...leftOpen].map(({ id }) => id);
  expect(ids.filter((id) => ![...proved].some((clause) => clause === id))).toEqual([]);
});

test('every stage has a spec of the gate, in the order of the stages', () => {
  const specs = paths
    .filter((path) => /^tests\/contract\/\d-(?!specs).*\.spec\.ts$/.test(path))
    .sort();
  expect(specs).toEqual(
    stages.map((stage, index) => `tests/contract/${index + 1}-${stage}.spec.ts`),
  );
  for (const [index, stage] of stages.entries())
    expect(textOf(specs[index] ?? '')).toContain(`selectProbes('${stage}')`);
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

test('every duty of a caller, which no probe can judge, is in the title of a test', () => {
  const texts = programs.filter(({ path }) => path.endsWith('.spec.ts')).map(({ text }) => text);
  const judged = new Set<string>([...mustHold, ...leftOpen].map(({ id }) => id));
  const duties = clauses.map(({ id }) => id).filter((id) => !judged.has(id));
  expect(duties.filter((id) => !texts.some((text) => text.includes(`(${id})'`)))).toEqual([]);
});

test('every probe is listed once', () => {
  expect(names.toSorted(), 'import its file in probes/index.ts').toEqual([...codes.keys()].sort());
});

test('probes are listed in the order of the contract', () => {
  // The order within an area is free.
  const order = probes.map(({ clauses: [first = ''] }) => areas.indexOf(areaOf(first)));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
