import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type Monitor, startMonitor } from '../monitor/process.ts';
import { account, tokenMark } from '../monitor/provider.ts';
import { watchingTargets } from '../monitor/targets-file.ts';
import { ours } from '../process.ts';
import { needs } from '../programs.ts';
import { random } from '../simulation/random.ts';
import { passwordMark, query, startCluster } from './cluster.ts';
import { gapsOf, startLoggingProvider, turnsOf } from './logging-provider.ts';

needs('postgres');

/** `FLEET_KILLS=75 FLEET_TARGETS=300` takes an hour. It kills 75 members, and the database about thirty times. */
const [kills, count] = [process.env.FLEET_KILLS ?? 1, process.env.FLEET_TARGETS ?? 6].map(Number);

/** After a kill the other members need less time than this to take its targets and to run what is overdue. */
const betweenMs = kills === 1 ? 18_000 : 32_000;

const sourceAddress = ours('tests/fleet/source-address.ts');
const sources = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;

test('a fleet whose members and database are killed watches each target once at a time, loses nothing, and reports no violation', async () => {
  test.setTimeout(600_000 + (kills ?? 0) * 60_000);
  const [cluster, provider] = await Promise.all([startCluster(), startLoggingProvider()]);
  const state = await cluster.database();
  const targets = Array.from({ length: count ?? 0 }, (_, index) => ({
    name: `target-${index}`,
    url: provider.addressOf(index),
  }));
  // A watched target gets a request at least every ten seconds, so a longer gap shows that it was not watched.
  const pace =
    (count ?? 0) > 100
      ? {
          probes: { 'a-token-opens-the-endpoint': { every: '10s' } },
          canaries: { every: '10m' },
        }
      : { period: '5s' };
  const env = { ...watchingTargets(targets, pace), MONITOR_STATE: state };
  const draws = random('kills');
  const members = new Map<string, Monitor>();
  /** @param source the address from which the member sends its requests */
  const start = (source: string) => {
    const more = { SOURCE_ADDRESS: source, NODE_OPTIONS: `--import=${sourceAddress}` };
    members.set(source, startMonitor({ ...env, ...more }));
  };

  const counts = { 'members killed': 0, 'databases killed': 0, 'members stopped': 0 };
  const mishaps = {
    async 'a member is killed'() {
      counts['members killed'] += 1;
      const source = draws.pick(sources);
      await members.get(source)?.stop('SIGKILL');
      if (kills !== 1 && draws.chance(0.25)) await after(betweenMs);
      start(source);
    },
    async 'the database is killed'() {
      counts['databases killed'] += 1;
      await cluster.kill();
      await after(draws.between(0, 3_000));
      await cluster.start();
    },
    async 'a member is stopped'() {
      counts['members stopped'] += 1;
      const source = draws.pick(sources);
      const pid = members.get(source)?.pid ?? Number.NaN;
      process.kill(pid, 'SIGSTOP');
      await after(draws.between(5_000, 20_000));
      process.kill(pid, 'SIGCONT');
    },
  };

  try {
    for (const source of sources) start(source);
    await expect
      .poll(async () => (await canariesIn(state)).length, { timeout: 600_000 })
      .toBeGreaterThanOrEqual(Math.min(count ?? 0, 100));
    // By now the members have shared out the targets.
    await after(3_000);
    const canaries = await canariesIn(state);
    const from = provider.log.length;
    const before = await fencesIn(state);
    for (let kill = 0; kill < (kills ?? 0); kill++) {
      await mishaps['a member is killed']();
      await after(betweenMs / 4);
      if (kills === 1 || draws.chance(0.4)) await mishaps['the database is killed']();
      if (kills !== 1 && draws.chance(0.2)) await mishaps['a member is stopped']();
      await after((betweenMs * 3) / 4);
    }
    const log = provider.log.slice(from);
    const until = Date.now();

    const fences = await fencesIn(state);
    const moves = (target: string): number => (fences.get(target) ?? 0) - (before.get(target) ?? 0);
    const most = Math.max(...gapsOf(log, until).values());
    test.info().annotations.push({
      type: 'measured',
      description: `${JSON.stringify(counts)}, ${log.length} requests, ${[...fences.keys()].reduce((sum, name) => sum + moves(name), 0)} moves, longest gap ${most} ms`,
    });
    const turns = turnsOf(log);
    expect(turns.size).toBe(count);
    const twice = [...fences.keys()].filter((name) => {
      const address = new URL(provider.addressOf(Number(name.slice(7)))).hostname;
      return (turns.get(address) ?? 0) > moves(name) + 1;
    });
    expect(twice).toEqual([]);
    expect.soft(most).toBeLessThan(60_000);

    const after_ = await canariesIn(state);
    expect(canaries.filter((id) => !after_.includes(id))).toEqual([]);
    expect(
      await rowsIn(
        state,
        "select value from entries where kind = 'verdict' and value like '%violated%'",
      ),
    ).toEqual([]);
    expect(
      await rowsIn(
        state,
        'select value from entries where kind = \'canary\' and value ~ \'"state":"(failed|lost)"\'',
      ),
    ).toEqual([]);
    expect(await rowsIn(state, 'select event from events')).toEqual([]);
    expect(await leaksIn(state)).toEqual([]);
    for (const member of members.values()) expect(member.stderr()).toBe('');
    const ends = [...members.values()].map((member) => member.stop());
    expect(await Promise.all(ends)).toEqual([0, 0, 0]);
    expect(await rowsIn(state, 'select id from members')).toEqual([]);
  } finally {
    for (const member of members.values()) await member[Symbol.asyncDispose]();
    await provider.close();
    await cluster[Symbol.asyncDispose]();
  }
});

async function rowsIn(address: string, text: string): Promise<string[]> {
  const options = '-c search_path=public_api_monitor';
  const rows = await query({ connectionString: address, options }, text);
  return rows.map((row) => row.join(' '));
}

const canariesIn = async (address: string): Promise<string[]> =>
  rowsIn(address, "select target, key from entries where kind = 'canary'").catch(() => []);

async function fencesIn(address: string): Promise<Map<string, number>> {
  const rows = await rowsIn(address, 'select target, fence from leases');
  return new Map(rows.map((row) => [row.split(' ')[0] ?? '', Number(row.split(' ')[1])]));
}

/** The rows of the database that contain a credential or a token in plain text. */
async function leaksIn(address: string): Promise<string[]> {
  const tables = ['members', 'leases', 'entries', 'events', 'tallies'];
  const rows = await Promise.all(
    tables.map((table) => rowsIn(address, `select t::text from ${table} t`)),
  );
  const secrets = [account.apiKey, account.secretKey, tokenMark, passwordMark];
  return rows.flat().filter((row) => secrets.some((secret) => row.includes(secret)));
}
