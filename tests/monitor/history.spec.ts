import { expect, test } from '@playwright/test';
import { type Outcome, outcomes } from '../../contract/round/outcome.ts';
import type { Run } from '../../monitor/round/run.ts';
import { cellsFrom, History } from '../../monitor/watch/history.ts';
import { aTokenOpensTheEndpoint as probe } from '../../probes/bearer.ts';

const run = (startedAt: number, outcome: Outcome): Run => ({
  target: 'one',
  startedAt,
  requests: 1,
  result: { probe, endpoint: 'GET /', outcome, findings: [], observations: [], durationSeconds: 1 },
});

test('the last runs are kept, oldest first, up to the limit', () => {
  const one = new History();
  for (let at = 0; at < 70; at++) one.add(run(at, 'passed'));
  expect(one.cells()).toHaveLength(60);
  expect(one.cells()[0]?.startedAt).toBe(10);
});

test('failures outlive later successes, up to their own limit', () => {
  const one = new History();
  for (let at = 0; at < 7; at++) one.add(run(at, 'failed'));
  for (let at = 7; at < 100; at++) one.add(run(at, 'passed'));
  expect(one.failures().map(({ startedAt }) => startedAt)).toEqual([2, 3, 4, 5, 6]);
});

test('a history continues from its stored state', () => {
  const before = new History();
  for (let at = 0; at < 60; at++) before.add(run(at, 'unreachable'));
  const one = new History(before.cells(), before.failures());
  one.add(run(60, 'failed'));
  expect(one.cells().map(({ startedAt }) => startedAt)).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  expect(one.failures().map(({ startedAt }) => startedAt)).toEqual([56, 57, 58, 59, 60]);
  expect(before.cells()).toHaveLength(60);
  expect(before.cells()[0]?.startedAt).toBe(0);
});

test('cells are read as they were added', () => {
  const one = new History();
  const at = Date.UTC(2026, 0, 1, 12, 0, 0, 7);
  for (const [index, outcome] of outcomes.entries()) one.add(run(at + index, outcome));
  expect(one.cells()).toEqual(
    ['kept', 'broken', 'unreachable', 'defect'].map((ending, index) => ({
      startedAt: at + index,
      ending,
      durationSeconds: 1,
    })),
  );
});

test('cells are read from the state file', () => {
  const one = new History();
  for (const [index, outcome] of outcomes.entries())
    one.add(run(1_800_000_000_000 + index, outcome));
  const stored: unknown = JSON.parse(JSON.stringify(one.saved()));
  expect(stored).toHaveLength(2 * outcomes.length);
  expect(cellsFrom(stored)).toEqual(one.cells());
  const damaged: readonly unknown[] = [undefined, null, 'text', {}, [], ['text', { startedAt: 1 }]];
  expect(damaged.map(cellsFrom)).toEqual(damaged.map(() => []));
});
