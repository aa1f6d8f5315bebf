import { expect, test } from '@playwright/test';
import { DatabaseGone } from '../../monitor/fleet/database.ts';
import { simulatedFleet } from './simulated-fleet.ts';

const second = 1_000;
const minute = 60 * second;

test('the counters of a target never decrease when the database was away for longer than a lease', async () => {
  const fleet = simulatedFleet({ seed: 'away', members: 1, targets: 1, periodSeconds: 30 });
  const [member] = fleet.members;
  member.start();
  await fleet.pass(10 * minute);
  const runs = async () => {
    const text = (await member.running?.exported.of('target-0')) ?? '';
    return Number(/^monitor_runs_total\{.*outcome="kept".*\} (\d+)$/m.exec(text)?.[1]);
  };
  const before = await runs();
  expect(before).toBeGreaterThan(20);
  fleet.server.isGone = true;
  await fleet.pass(minute);
  expect(fleet.spread()).toEqual([0]);
  fleet.server.isGone = false;
  for (let seconds = 0; seconds < 60; seconds += 1) {
    await fleet.pass(second);
    expect(await runs()).toBeGreaterThanOrEqual(before);
  }
  expect(fleet.spread()).toEqual([1]);
});

for (const laterMs of [0, 250, 500, 750])
  test(`a member that was cut off, and whose targets stay elsewhere, reports no problem once the database is back ${laterMs} ms later`, async () => {
    const fleet = simulatedFleet({ seed: 'healed', members: 2, targets: 1, periodSeconds: 30 });
    const [other, member] = fleet.members;
    member?.start();
    await fleet.pass(2 * minute);
    expect(fleet.spread()).toEqual([0, 1]);
    const { database, running } = member ?? {};
    if (database !== undefined) database.cut = 'requests';
    other.start();
    await fleet.pass(2 * minute + laterMs);
    expect(fleet.spread()).toEqual([1, 0]);
    expect(running?.store.problem()).toBe('the database cannot be written: ECONNREFUSED');
    if (database !== undefined) database.cut = undefined;
    await fleet.pass(10 * minute);
    expect(fleet.spread()).toEqual([1, 0]);
    expect(running?.store.problem()).toBeUndefined();
  });

test('a member that cannot write sends no more heartbeats than usual when a target leaves its file', async () => {
  const fleet = simulatedFleet({ seed: 'leaves', members: 1, targets: 1, periodSeconds: 30 });
  const [member] = fleet.members;
  member.start();
  await fleet.pass(2 * minute);
  if (member.database !== undefined) member.database.cut = 'writes';
  await fleet.pass(10 * second);
  member.running?.retarget([]);
  const beats = () => fleet.server.members.get(`${member.machine.name} 1`)?.beat ?? 0;
  const before = beats();
  await fleet.pass(minute);
  expect(beats() - before).toBeLessThan(30);
  if (member.database !== undefined) member.database.cut = undefined;
  await fleet.pass(10 * second);
  expect(fleet.server.leases.get('target-0')?.holder).toBeUndefined();
});

test('a page and a scrape do not wait for a database that has not answered for a lease', async () => {
  const fleet = simulatedFleet({ seed: 'silent', members: 1, targets: 1, periodSeconds: 30 });
  const [member] = fleet.members;
  member.start();
  await fleet.pass(2 * minute);
  const { database, running } = member;
  if (database === undefined || running === undefined) throw new Error('the member runs');
  database.cut = 'requests';
  const never = new Promise<never>(() => {});
  Object.assign(database, { targets: () => never, entry: () => never });
  await fleet.pass(30 * second);
  const ended = Promise.all([
    running.status().then(({ problem }) => problem),
    running.exported.of('target-0').catch((error: Error) => error.message),
  ]);
  expect(await Promise.race([ended, fleet.pass(10 * second)])).toEqual([
    'the database cannot be used: ECONNREFUSED',
    'the database cannot be read: ECONNREFUSED',
  ]);
});

test('a member that stops while the database does not answer a write ends after five seconds', async () => {
  const fleet = simulatedFleet({ seed: 'hangs', members: 1, targets: 1, periodSeconds: 30 });
  const [member] = fleet.members;
  member.start();
  await fleet.pass(2 * minute);
  const { database, running, machine } = member;
  if (database === undefined || running === undefined) throw new Error('the member runs');
  const limit = () => new Promise<void>((resolve) => void machine.after(30 * second, resolve));
  Object.assign(database, { write: () => limit().then(() => Promise.reject(new Error('late'))) });
  await fleet.pass(5 * second);
  while (!running.watch.isIdle('target-0')) await fleet.pass(100);
  const drained = running.drain(10 * second).then(() => 'drained');
  expect(await Promise.race([drained, fleet.pass(6 * second)])).toBe('drained');
});

test('a member that cannot load its targets reports that until it can', async () => {
  const fleet = simulatedFleet({ seed: 'loads', members: 1, targets: 1, periodSeconds: 30 });
  const [member] = fleet.members;
  member.start();
  const { database, running, machine } = member;
  if (database === undefined || running === undefined) throw new Error('the member runs');
  const { load } = database;
  const pause = () => new Promise<void>((resolve) => void machine.after(second, resolve));
  const full = new DatabaseGone('it has no connection left (53300)');
  Object.assign(database, { load: () => pause().then(() => Promise.reject(full)) });
  const problem = async () => {
    const status = running.status();
    await fleet.pass(300);
    return (await status).problem;
  };
  await fleet.pass(10 * second);
  const problems = new Set<string | undefined>();
  for (let looks = 0; looks < 40; looks += 1) problems.add(await problem());
  expect([...problems]).toEqual(['the database cannot be used: it has no connection left (53300)']);
  Object.assign(database, { load });
  await fleet.pass(10 * second);
  expect(await problem()).toBeUndefined();
  expect(fleet.spread()).toEqual([1]);
});
