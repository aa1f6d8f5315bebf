import { expect, test } from '@playwright/test';
import type { Beat } from '../../monitor/fleet/database.ts';
import { FleetState } from '../../monitor/fleet/fleet-state.ts';
import type { StateStore } from '../../monitor/state/state.ts';
import { ContractStatus } from '../../monitor/target/contract-status.ts';
import type { Run } from '../../monitor/target/run.ts';
import { Incidents, incidentsOf } from '../../monitor/watch/incidents.ts';
import { Latency, latencyOf } from '../../monitor/watch/latency.ts';
import { broken, kept, probeAbout, slotsFor } from '../monitor/runs.ts';
import { MemoryDatabase, MemoryServer } from './memory-database.ts';

const beat = (id: string, more: Partial<Beat> = {}): Beat => ({
  member: { id, authority: `${id}:9797`, version: '1.2.3' },
  leaseMs: -1,
  release: [],
  dead: [],
  take: 0,
  names: ['t'],
  leaves: false,
  ...more,
});

/** The state of a member that holds the target `t`. */
function holding() {
  const server = new MemoryServer();
  const database = new MemoryDatabase(server);
  const noted = { figures: [] as string[], taken: [] as string[] };
  let figures: string | undefined;
  const state = new FleetState(database, {
    figures() {
      const given = figures;
      figures = undefined;
      return given;
    },
    summary: () => '{"state":"holds"}',
    onFigures: (_, text) => void noted.figures.push(text),
    onTaken: (target) => void noted.taken.push(target),
  });
  const [lease] = server.beat(beat('one', { take: 1 })).held;
  const rows = server.load(['t']).get('t');
  if (lease === undefined || rows === undefined) throw new Error('the target is held');
  state.adopt('t', lease.fence, rows);
  return {
    server,
    database,
    state,
    store: state.store,
    noted,
    count: (text: string) => {
      figures = text;
    },
    written: () => server.load(['t']).get('t'),
  };
}

test('runs without the database are written when it is back, in order and once', async () => {
  const { server, state, store, written } = holding();
  server.isGone = true;
  for (const at of [1, 2, 3]) {
    store.record('t', at, { at });
    store.put('t', 'meta', 'last', at);
    store.count('t', 0, 'passed');
    expect(await state.settle()).toBe(false);
  }
  expect(store.problem()).toBe('the database cannot be written: ECONNREFUSED');
  expect(store.failures()).toBe(3);
  expect(store.entries('t', 'meta').get('last')).toBe(3);
  server.isGone = false;
  await state.settle();
  expect(await state.settle()).toBe(true);
  expect(store.problem()).toBeUndefined();
  expect(written()?.events.map(({ at }) => at)).toEqual([1, 2, 3]);
  expect(written()?.entries).toEqual([{ kind: 'meta', key: 'last', value: '3' }]);
  expect(written()?.tallies.map(({ span, tally }) => [span, tally.kept])).toEqual([
    ['hour', 3],
    ['day', 3],
  ]);
});

test('a batch whose answer was lost is not counted twice', async () => {
  const { database, state, store, written } = holding();
  database.cut = 'answers';
  store.record('t', 1, 'first');
  store.count('t', 0, 'passed');
  expect(await state.settle()).toBe(false);
  store.record('t', 2, 'second');
  database.cut = undefined;
  await state.settle();
  expect(await state.settle()).toBe(true);
  expect(written()?.events.map(({ at }) => at)).toEqual([1, 2]);
  expect(written()?.tallies[0]?.tally.kept).toBe(1);
});

test('a target that another member has taken is dropped, and nothing of it is written', async () => {
  const { server, state, store, noted, written } = holding();
  store.put('t', 'meta', 'key', 'before');
  await state.settle();
  server.beat(beat('two', { take: 1, dead: ['one'] }));
  store.put('t', 'meta', 'key', 'after');
  await state.settle();
  expect(noted.taken).toEqual(['t']);
  expect(written()?.entries).toEqual([{ kind: 'meta', key: 'key', value: '"before"' }]);
  expect(store.entries('t', 'meta').size).toBe(0);
  store.put('t', 'meta', 'key', 'later');
  expect(await state.settle()).toBe(true);
});

test('a member that takes a target reads what the one before has written', async () => {
  const { server, state, store } = holding();
  store.put('t', 'verdict', 'BEARER-1', { verdict: 'violated', since: 5 });
  store.record('t', 5, { clause: 'BEARER-1' });
  store.count('t', 3_600_000, 'failed');
  await state.settle();
  const other = new FleetState(new MemoryDatabase(server), {
    figures: () => undefined,
    summary: () => undefined,
    onFigures: () => {},
    onTaken: () => {},
  });
  const rows = server.load(['t']).get('t');
  if (rows !== undefined) other.adopt('t', 2, rows);
  const { store: next } = other;
  expect(next.entries('t', 'verdict').get('BEARER-1')).toEqual({ verdict: 'violated', since: 5 });
  expect(next.events('t', { limit: 5 })).toEqual([{ at: 5, event: { clause: 'BEARER-1' } }]);
  expect(next.hours('t', 0)).toEqual(store.hours('t', 0));
  expect(next.hours('t', 0)[0]).toMatchObject({ from: 3_600_000, broken: 1 });
});

test('figures count as written only when the database has them', async () => {
  const { server, state, noted, count } = holding();
  server.isGone = true;
  count('{"runs":1}');
  await state.settle();
  expect(noted.figures).toEqual([]);
  server.isGone = false;
  await state.settle();
  expect(noted.figures).toEqual(['{"runs":1}']);
  expect(server.targets()).toEqual([{ target: 't', holder: 'one', summary: '{"state":"holds"}' }]);
});

test('incidents and latency go on at the member that takes a target', async () => {
  const { server, state, store } = holding();
  const opens = probeAbout('a-token-opens-the-endpoint', ['BEARER-1'], { once: true });
  const standing = new ContractStatus(slotsFor([opens]), [opens], 0);
  const phases = { resolve: 0, connect: 0, tls: 0, processing: 0.01, transfer: 0 };
  const authorised = { http: { status: 200, httpVersion: '1.1' }, phases };
  const take = (one: StateStore, run: Run) => {
    standing.take(run);
    const retention = { now: () => run.startedAt };
    new Incidents('t', { state: one, standing, retention }, run.startedAt);
    new Latency('t', one).take({ ...run, authorised });
  };
  take(store, broken(opens, 'BEARER-1', { at: 10 }));
  await state.settle();
  await state.settle();
  const other = new FleetState(new MemoryDatabase(server), {
    figures: () => undefined,
    summary: () => undefined,
    onFigures: () => {},
    onTaken: () => {},
  });
  server.beat(beat('one', { leaves: true }));
  const [lease] = server.beat(beat('two', { take: 1 })).held;
  const rows = server.load(['t']).get('t');
  if (lease === undefined || rows === undefined) throw new Error('the target is held');
  other.adopt('t', lease.fence, rows);
  take(other.store, broken(opens, 'BEARER-1', { at: 20 }));
  take(other.store, kept(opens, { at: 30 }));
  expect(incidentsOf(other.store, 't', 40)).toEqual([
    { what: 'violated', from: 10, until: 30, clauses: ['BEARER-1'] },
  ]);
  expect(latencyOf(other.store, 't', 40)).toMatchObject([{ from: 0, requests: 3 }]);
});
