import { expect, test } from '@playwright/test';
import type { TargetRows } from '../../monitor/fleet/database.ts';
import { Holdings } from '../../monitor/fleet/holdings.ts';

const nothing: TargetRows = { entries: [], events: [], tallies: [] };

/** Holdings for which the test decides when rows are loaded and when they are written. */
function holding() {
  const written = new Set<string>();
  const dropped = [] as string[];
  const loading: (() => void)[] = [];
  const holdings = new Holdings({
    database: {
      load: (targets) =>
        new Promise((resolve) => {
          loading.push(() => resolve(new Map(targets.map((target) => [target, nothing]))));
        }),
    },
    state: {
      adopt: () => {},
      drop: (target) => void dropped.push(target),
      isWritten: (target) => written.has(target),
    },
  });
  return { holdings, written, dropped, loading };
}

const held = (...targets: string[]) => targets.map((target) => ({ target, fence: 1 }));

test('a target is given back only once everything of it is written', async () => {
  const { holdings, written, loading } = holding();
  holdings.update(held('a', 'b', 'c'));
  const loaded = holdings.load(() => {});
  loading[0]?.();
  await loaded;
  for (const target of ['a', 'b']) holdings.giveBack(target);
  expect(holdings.targets()).toEqual(['c']);
  expect(holdings.released()).toEqual([]);
  written.add('b');
  expect(holdings.released()).toEqual(held('b'));
  expect(holdings.update(held('a', 'c'))).toBe(0);
  holdings.keep(new Set(['a']));
  expect(holdings.targets()).toEqual(['a', 'c']);
});

test('a target that is lost while it is loaded is not watched', async () => {
  const { holdings, loading } = holding();
  holdings.update(held('a', 'b'));
  const loaded = holdings.load(() => {});
  holdings.update(held('b'));
  loading[0]?.();
  await loaded;
  expect(holdings.targets()).toEqual(['b']);
});

test('a target under another fencing number is lost, and loaded again', async () => {
  const { holdings, dropped, loading } = holding();
  holdings.update(held('a'));
  const first = holdings.load(() => {});
  loading[0]?.();
  await first;
  expect(holdings.update([{ target: 'a', fence: 3 }])).toBe(1);
  expect(dropped).toEqual(['a']);
  expect(holdings.targets()).toEqual([]);
  const second = holdings.load(() => {});
  loading[1]?.();
  await second;
  expect(holdings.targets()).toEqual(['a']);
});
