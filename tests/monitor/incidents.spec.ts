import { expect, test } from '@playwright/test';
import { openStateStore, type StateStore } from '../../monitor/state/state.ts';
import { ContractStatus } from '../../monitor/target/contract-status.ts';
import type { Run } from '../../monitor/target/run.ts';
import { Incidents, incidentsOf } from '../../monitor/watch/incidents.ts';
import { broken, kept, probeAbout, slotsFor, unreachable } from './runs.ts';

const opens = probeAbout('opens', ['BEARER-1'], { once: true });
const alters = probeAbout('alters', ['BEARER-3', 'BEARER-2'], { once: true });
const probes = [opens, alters];
const name = 'under-test';
const day = 86_400_000;

/** A target that takes runs, and its incidents. */
function target(state: StateStore = openStateStore(':memory:'), runs: readonly Run[] = [], at = 0) {
  const standing = new ContractStatus(slotsFor(probes), probes, 0, {
    runs,
    since: new Map(),
    facts: [],
  });
  let latest = at;
  const incidents = new Incidents(name, { state, standing, retention: { now: () => latest } }, at);
  return {
    state,
    standing,
    take(...taken: readonly Run[]) {
      for (const run of taken) {
        standing.take(run);
        latest = run.startedAt;
        incidents.update(run.startedAt);
      }
    },
    all: (now = 0) => incidentsOf(state, name, now),
  };
}

const well = (at: number): Run[] => [kept(opens, { at }), kept(alters, { at })];

test('a violation is one incident, with every clause that was violated meanwhile', () => {
  const one = target();
  one.take(...well(1), broken(alters, 'BEARER-3', { at: 10 }));
  expect(one.all()).toEqual([{ what: 'violated', from: 10, clauses: ['BEARER-3'] }]);
  one.take(broken(alters, 'BEARER-3', { at: 11 }), broken(alters, 'BEARER-2', { at: 12 }));
  one.take(...well(20), ...well(21));
  const first = { what: 'violated', from: 10, until: 20, clauses: ['BEARER-3', 'BEARER-2'] };
  expect(one.all()).toEqual([first]);
  one.take(broken(opens, 'BEARER-1', { at: 30 }));
  expect(one.all()).toEqual([{ what: 'violated', from: 30, clauses: ['BEARER-1'] }, first]);
});

test('an outage is one incident from its first silent run to the last answer that was missing', () => {
  const one = target();
  one.take(...well(1), unreachable(alters, 'timeout', { at: 5 }));
  expect(one.all()).toEqual([]);
  one.take(kept(opens, { at: 5 }), unreachable(alters, 'timeout', { at: 6 }));
  expect(one.all()).toEqual([{ what: 'partly', from: 6, reason: 'timeout' }]);
  one.take(unreachable(opens, 'connect', { at: 7 }), unreachable(opens, 'connect', { at: 8 }));
  one.take(kept(opens, { at: 9 }));
  expect(one.all()).toEqual([{ what: 'unreachable', from: 6, reason: 'timeout' }]);
  one.take(kept(alters, { at: 10 }));
  expect(one.all()).toEqual([{ what: 'unreachable', from: 6, until: 10, reason: 'timeout' }]);
});

test('an outage during a violation is an incident of its own, and does not end the other', () => {
  const one = target();
  one.take(...well(1), broken(alters, 'BEARER-3', { at: 2 }));
  for (const at of [3, 4]) one.take(unreachable(opens, 'reset', { at }));
  for (const at of [3, 4]) one.take(unreachable(alters, 'reset', { at }));
  one.take(kept(opens, { at: 5 }), broken(alters, 'BEARER-3', { at: 6 }));
  expect(one.all().map(({ what, until }) => [what, until])).toEqual([
    ['unreachable', 6],
    ['violated', undefined],
  ]);
});

test('a violation goes on while answers about its clause prove nothing, and ends when they prove that it holds', () => {
  const one = target();
  one.take(...well(1), broken(alters, 'BEARER-3', { at: 2 }));
  const unproven = 'the endpoint answers 404 with and without a token';
  for (const at of [3, 4]) one.take(kept(alters, { at, unproven }));
  const violation = { what: 'violated', from: 2, clauses: ['BEARER-3'] };
  expect(one.all()).toEqual([{ what: 'partly', from: 4 }, violation]);
  one.take(kept(alters, { at: 5 }));
  expect(one.all()).toEqual([
    { what: 'partly', from: 4, until: 5 },
    { ...violation, until: 5 },
  ]);
});

test('a violation ends when its clause holds, though answers about another clause prove nothing', () => {
  const one = target();
  one.take(...well(1), broken(alters, 'BEARER-3', { at: 2 }));
  for (const at of [3, 4]) one.take(kept(opens, { at, unproven: 'it answers 404' }));
  one.take(kept(alters, { at: 5 }));
  expect(one.all()).toMatchObject([{ what: 'partly' }, { what: 'violated', from: 2, until: 5 }]);
});

test('an open incident goes on after a restart, and ends when its clauses are not judged any more', () => {
  const before = target();
  before.take(...well(1), broken(alters, 'BEARER-3', { at: 10 }));
  const after = target(before.state, before.standing.latest(), 500);
  after.take(broken(alters, 'BEARER-3', { at: 501 }));
  expect(after.all()).toEqual([{ what: 'violated', from: 10, clauses: ['BEARER-3'] }]);
  expect(target(before.state, [], 600).all()).toEqual([
    { what: 'violated', from: 10, until: 600, clauses: ['BEARER-3'] },
  ]);
});

test('a wall clock that was set back makes no incident end before it began', () => {
  const one = target();
  one.take(...well(1), broken(alters, 'BEARER-3', { at: 1_000 }), ...well(500));
  expect(one.all()).toMatchObject([{ from: 1_000, until: 1_000 }]);
});

test('at most 100 incidents of 90 days are kept', () => {
  const one = target();
  for (let at = 0; at < 150; at += 1)
    one.take(broken(alters, 'BEARER-3', { at: 10 * at }), ...well(10 * at + 5));
  expect(one.all()).toHaveLength(100);
  expect(one.all()[0]).toMatchObject({ from: 1_490, until: 1_495 });
  expect(one.state.entries(name, 'incident').size).toBeLessThanOrEqual(101);
  expect(one.all(90 * day + 1_495)).toHaveLength(1);
  one.take(broken(alters, 'BEARER-3', { at: 91 * day }));
  expect(one.state.entries(name, 'incident').size).toBe(1);
});

test('an open violation is kept while more than 100 outages begin and end, and goes on after a restart', () => {
  const one = target();
  one.take(...well(1), broken(alters, 'BEARER-3', { at: 2 }));
  for (let at = 10; at < 1_500; at += 10) {
    for (const later of [0, 1]) one.take(unreachable(opens, 'reset', { at: at + later }));
    one.take(kept(opens, { at: at + 5 }));
  }
  const violation = { what: 'violated', from: 2, clauses: ['BEARER-3'] };
  expect(one.all()).toHaveLength(100);
  expect(one.all().at(-1)).toEqual(violation);
  const after = target(one.state, one.standing.latest(), 2_000);
  expect(after.all().at(-1)).toEqual(violation);
});

test('a monitor that starts while its clock is ahead removes no incident', () => {
  const one = target();
  one.take(broken(alters, 'BEARER-3', { at: 10 }), ...well(20));
  const standing = new ContractStatus(slotsFor(probes), probes, 0);
  standing.take(broken(opens, 'BEARER-1', { at: 30 }));
  const context = { state: one.state, standing, retention: { now: () => 30 } };
  const starting = new Incidents(name, context, 400 * day);
  starting.update(400 * day);
  expect(one.state.entries(name, 'incident').size).toBe(2);
});

test('rows of another program in the state are not shown', () => {
  const one = target();
  for (const [key, value] of Object.entries({
    a: 'text',
    b: { what: 'violated', from: 1, clauses: ['BEARER-99'] },
    c: { what: 'unreachable', from: 'yesterday' },
    d: { what: 'eclipse', from: 1 },
    e: { what: 'partly', from: 1, until: 2, reason: 'because' },
  }))
    one.state.put(name, 'incident', key, value);
  expect(one.all()).toEqual([{ what: 'partly', from: 1, until: 2 }]);
});
