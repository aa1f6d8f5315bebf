import { expect, test } from '@playwright/test';
import type { FleetStatus } from '../../monitor/fleet/fleet-status.ts';
import { addressOf, startMonitor } from '../monitor/process.ts';
import { account, startProvider, tokenMark } from '../monitor/provider.ts';
import { watchingTargets } from '../monitor/targets-file.ts';
import { needs } from '../programs.ts';
import { type Cluster, passwordMark, query, startCluster } from './cluster.ts';

needs('postgres');

let cluster: Cluster;

test.beforeAll(async () => {
  cluster = await startCluster();
});
test.afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

const names = ['alpha', 'beta', 'gamma', 'delta'];

/** The settings of a fleet member; the file of targets has one target for each name. */
function settings(origin: URL, state: string) {
  const targets = names.map((name) => ({ name, url: origin.href, labels: { team: name } }));
  return { ...watchingTargets(targets, { period: '2s' }), MONITOR_STATE: state };
}

const text = async (path: string, page: URL): Promise<string> =>
  (await fetch(new URL(path, page))).text();

test('any monitor of a fleet shows all of it, and lists each target for Prometheus at its holder', async () => {
  await using provider = await startProvider();
  const state = await cluster.database();
  const env = settings(provider.baseUrl, state);
  await using first = startMonitor(env);
  const one = await addressOf(first);
  const advertised = { ...env, MONITOR_HOST: '127.0.0.1' };
  await using second = startMonitor(advertised);
  const other = await addressOf(second);
  const spread = async (page: URL): Promise<number[]> => {
    const { fleet }: { fleet: FleetStatus } = JSON.parse(await text('/status.json', page));
    return fleet.members.map(({ targets }) => targets);
  };
  await expect.poll(() => spread(one), { timeout: 240_000 }).toEqual([2, 2]);

  const lists = await Promise.all([one, other].map((page) => text('/sd', page)));
  const groups: { targets: string[]; labels: Record<string, string> }[] = JSON.parse(
    lists[0] ?? '',
  );
  expect(JSON.parse(lists[1] ?? '')).toEqual(groups);
  expect(groups.map(({ labels }) => labels.instance)).toEqual(names);
  expect(groups.map(({ labels }) => labels.team)).toEqual(names);
  const holders = groups.map(({ targets: [authority] }) => authority);
  expect(new Set(holders)).toEqual(new Set([one.host, other.host]));

  // A target has the same series at every member, and `/metrics` has no series of a target.
  const runs = /^monitor_runs_total\{target="alpha",outcome="kept"\} ([1-9]\d*)$/m;
  for (const page of [one, other])
    await expect.poll(() => text('/probe?target=alpha', page), { timeout: 240_000 }).toMatch(runs);
  for (const page of [one, other]) expect(await text('/metrics', page)).not.toContain('target="');
  expect(await text('/metrics', one)).toMatch(/^monitor_fleet_members 2$/m);
  expect(await text('/metrics', one)).toMatch(/^monitor_fleet_database_reachable 1$/m);

  const elsewhere = groups.find(({ targets: [authority] }) => authority !== one.host);
  const name = elsewhere?.labels.instance ?? '';
  const answer = await fetch(new URL(`/targets/${name}`, one), { redirect: 'manual' });
  expect(answer.status).toBe(307);
  expect(answer.headers.get('location')).toBe(`http://${other.host}/targets/${name}`);
  const page = await text('/', one);
  for (const shown of [...names, one.host, other.host]) expect(page).toContain(shown);
  expect(page).toContain('<h2 id="fleet">Fleet</h2>');

  expect(await first.stop()).toBe(0);
  await expect.poll(() => spread(other)).toEqual([4]);
  const seen = [first.stdout(), second.stdout(), page, ...lists, await text('/status.json', other)];
  for (const secret of [passwordMark, account.apiKey, account.secretKey, tokenMark])
    expect(seen.filter((one) => one.includes(secret))).toEqual([]);
});

test('a monitor without its database starts, says why it watches nothing, and begins when the database is there', async () => {
  await using provider = await startProvider();
  const own = await startCluster();
  const env = settings(provider.baseUrl, await own.database());
  await own.kill();
  await using monitor = startMonitor(env);
  const page = await addressOf(monitor);
  const reason = 'nothing listens at its address (ECONNREFUSED)';
  await expect.poll(() => text('/', page)).toContain(`the database cannot be used: ${reason}`);
  for (const [path, line] of [
    ['/probe?target=alpha', `the database cannot be read: ${reason}`],
    ['/targets/alpha', 'No monitor shows alpha now: see the fleet on /'],
  ] as const) {
    const answer = await fetch(new URL(path, page));
    expect([answer.status, await answer.text()]).toEqual([503, `${line}\n`]);
  }
  expect((await fetch(new URL('/targets/unknown', page))).status).toBe(404);
  expect(await text('/metrics', page)).toMatch(/^monitor_fleet_database_reachable 0$/m);
  await own.start();
  const targets = async (): Promise<unknown[]> =>
    JSON.parse(await text('/status.json', page)).targets;
  await expect.poll(targets).toHaveLength(4);
  expect(await monitor.stop()).toBe(0);
  await own[Symbol.asyncDispose]();
});

const unused = new URL('http://127.0.0.1:1');

test('a database that does not exist stops the start with one line', async () => {
  const address = (await cluster.database()).replace(/fleet_\d+/, 'missing');
  const monitor = startMonitor(settings(unused, address));
  expect(await monitor.ended).toBe(2);
  expect([monitor.stdout(), monitor.stderr()]).toEqual([
    '',
    'the database in MONITOR_STATE has no database of that name: create it, or correct MONITOR_STATE\n',
  ]);
});

test('a schema of a newer version stops the start with one line', async () => {
  const address = await cluster.database();
  await query(address, 'create schema public_api_monitor');
  await query(address, 'create table public_api_monitor.version as select 7 as number');
  const monitor = startMonitor(settings(unused, address));
  expect(await monitor.ended).toBe(2);
  expect(monitor.stdout()).toBe('');
  expect(monitor.stderr()).toMatch(
    /^the database in MONITOR_STATE was written by a newer monitor .*\n$/,
  );
});
