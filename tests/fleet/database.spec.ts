import { expect, test } from '@playwright/test';
import pg from 'pg';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Batch, Beat, FleetDatabase } from '../../monitor/fleet/database.ts';
import { PostgresDatabase } from '../../monitor/fleet/postgres.ts';
import { needs } from '../programs.ts';
import { type Cluster, query, startCluster } from './cluster.ts';
import { MemoryDatabase, MemoryServer } from './memory-database.ts';

needs('postgres');

let cluster: Cluster;

test.beforeAll(async () => {
  cluster = await startCluster();
});
test.afterAll(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** Databases that a test has opened. They are closed at its end. */
const opened: FleetDatabase[] = [];
test.afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));

function open(address: string): PostgresDatabase {
  const database = new PostgresDatabase(new Secret(address));
  opened.push(database);
  return database;
}

const beat = (id: string, more: Partial<Beat> = {}): Beat => ({
  member: { id, authority: `${id}:9797`, version: '1.2.3' },
  leaseMs: 15_000,
  release: [],
  dead: [],
  take: 0,
  names: [],
  leaves: false,
  ...more,
});

const batch = (
  target: string,
  fence: number,
  number: number,
  more: Partial<Batch> = {},
): Batch => ({
  target,
  fence,
  number,
  entries: [],
  events: [],
  tallies: [],
  summary: undefined,
  ...more,
});

const names = ['a', 'b', 'c'];

/** Other tests simulate fleets on the second database, so it must behave like the real one. */
const kinds = {
  PostgreSQL: async () => {
    const address = await cluster.database();
    return () => open(address);
  },
  'a simulated database': async () => {
    const server = new MemoryServer();
    return () => new MemoryDatabase(server);
  },
};

for (const [kind, make] of Object.entries(kinds))
  test.describe(`with ${kind}`, () => {
    let connect: () => FleetDatabase;
    let database: FleetDatabase;

    test.beforeEach(async () => {
      connect = await make();
      database = connect();
    });

    test('a member takes free targets, and no second member gets them', async () => {
      const first = await database.beat(beat('one', { take: 2, names }));
      expect(first.held).toEqual([
        { target: 'a', fence: 1 },
        { target: 'b', fence: 1 },
      ]);
      const second = await database.beat(beat('two', { take: 3, names }));
      expect(second.held).toEqual([{ target: 'c', fence: 1 }]);
      expect(second.members.map(({ id, beat: count }) => [id, count])).toEqual([
        ['one', 1],
        ['two', 1],
      ]);
    });

    test('two members that take at the same time never share a target', async () => {
      const other = connect();
      const many = Array.from({ length: 60 }, (_, index) => `target-${index}`);
      const pulses = await Promise.all(
        [database, other, database, other].map((one, index) =>
          one.beat(beat(index % 2 === 0 ? 'one' : 'two', { take: 10, names: many })),
        ),
      );
      const held = pulses.slice(2).flatMap((pulse) => pulse.held.map(({ target }) => target));
      expect(new Set(held).size).toBe(held.length);
      expect(held.length).toBe(40);
    });

    test('a member that is silent but not ended keeps its targets', async () => {
      await database.beat(beat('one', { take: 3, names }));
      const other = await database.beat(beat('two', { take: 3, names, dead: ['one'] }));
      expect(other.held).toEqual([]);
    });

    test('a member that has ended loses its targets, under greater fencing numbers', async () => {
      await database.beat(beat('one', { take: 3, names, leaseMs: -1 }));
      const other = await database.beat(beat('two', { take: 3, names, dead: ['one'] }));
      expect(other.held.map(({ fence }) => fence)).toEqual([2, 2, 2]);
      expect((await database.beat(beat('one'))).held).toEqual([]);
    });

    test('a target is released only by its holder, under its fencing number', async () => {
      await database.beat(beat('one', { take: 1, names }));
      const stays = [
        { id: 'two', fence: 1 },
        { id: 'one', fence: 2 },
      ];
      for (const { id, fence } of stays)
        await database.beat(beat(id, { release: [{ target: 'a', fence }] }));
      expect((await database.beat(beat('one'))).held).toEqual([{ target: 'a', fence: 1 }]);
      const after = await database.beat(beat('one', { release: [{ target: 'a', fence: 1 }] }));
      expect(after.held).toEqual([]);
    });

    test('a member that leaves frees its targets and is gone', async () => {
      await database.beat(beat('one', { take: 3, names }));
      expect((await database.beat(beat('one', { leaves: true }))).members).toEqual([]);
      expect((await database.beat(beat('two', { take: 3, names }))).held.length).toBe(3);
    });

    test('a batch is written once, however often it comes', async () => {
      await database.beat(beat('one', { take: 1, names }));
      const tally = { from: 0, kept: 1, broken: 0, unreachable: 0, defect: 0 };
      const one = batch('a', 1, 1, {
        summary: '{"state":"holds"}',
        entries: [{ kind: 'meta', key: 'k', value: '"\\u0000 \u2028 \'"' }],
        events: [{ at: 5, event: '{}' }],
        tallies: [{ span: 'hour', tally }],
      });
      expect(await database.write([one])).toEqual([]);
      expect(await database.write([one])).toEqual([]);
      const rows = (await database.load(['a'])).get('a');
      expect(rows).toEqual({
        entries: [{ kind: 'meta', key: 'k', value: '"\\u0000 \u2028 \'"' }],
        events: [{ at: 5, event: '{}' }],
        tallies: [{ span: 'hour', tally }],
      });
      await database.write([batch('a', 1, 2, { tallies: [{ span: 'hour', tally }] })]);
      expect((await database.load(['a'])).get('a')?.tallies[0]?.tally.kept).toBe(2);
      await database.write([
        batch('a', 1, 3, { entries: [{ kind: 'meta', key: 'k', value: undefined }] }),
      ]);
      expect(await database.entry('a', 'meta', 'k')).toBeUndefined();
      expect(await database.targets()).toEqual([
        { target: 'a', holder: 'one', summary: '{"state":"holds"}' },
        { target: 'b', holder: undefined, summary: undefined },
        { target: 'c', holder: undefined, summary: undefined },
      ]);
    });

    test('a batch of a former holder changes nothing, and names its target', async () => {
      await database.beat(beat('one', { take: 2, names, leaseMs: -1 }));
      await database.beat(beat('two', { take: 1, names, dead: ['one'] }));
      const entries = [{ kind: 'meta', key: 'k', value: '1' }];
      // Target `a` has a new holder; target `b` has no holder.
      expect(
        await database.write([batch('a', 1, 1, { entries }), batch('b', 1, 1, { entries })]),
      ).toEqual(['a']);
      expect(await database.entry('a', 'meta', 'k')).toBeUndefined();
      expect(await database.entry('b', 'meta', 'k')).toBe('1');
      expect(await database.write([batch('a', 2, 1, { entries })])).toEqual([]);
    });

    test('members are notified when targets become free', async () => {
      const other = connect();
      await database.beat(beat('one', { take: 1, names }));
      await other.beat(beat('two'));
      const notified = new Promise<void>((resolve) => other.onNotice(resolve));
      await database.beat(beat('one', { leaves: true }));
      await notified;
    });
  });

test('rows that are too old, and targets without a holder for a month, are taken away', async () => {
  const address = await cluster.database();
  const database = open(address);
  await database.beat(beat('one', { take: 2, names }));
  const entries = [{ kind: 'meta', key: 'k', value: '1' }];
  const events = [{ at: 1, event: '{}' }];
  await database.write([batch('a', 1, 1, { entries, events }), batch('b', 1, 1, { entries })]);
  await database.beat(beat('one', { release: [{ target: 'b', fence: 1 }] }));
  await query(address, "update public_api_monitor.leases set changed = now() - interval '40 days'");
  await database.tidy(40 * 86_400_000);
  const rows = await database.load(['a', 'b']);
  expect(rows.get('a')).toEqual({ entries, events: [], tallies: [] });
  expect(rows.get('b')).toEqual({ entries: [], events: [], tallies: [] });
});

test('a member whose clock is a year ahead takes no recent rows away', async () => {
  const database = open(await cluster.database());
  await database.beat(beat('one', { take: 1, names }));
  const now = Date.now();
  const events = [{ at: now, event: '{}' }];
  const counts = { from: now, kept: 1, broken: 0, unreachable: 0, defect: 0 };
  const tallies = [{ span: 'hour', tally: counts } as const];
  await database.write([batch('a', 1, 1, { events, tallies })]);
  await database.tidy(now + 365 * 86_400_000);
  expect((await database.load(['a'])).get('a')).toEqual({ entries: [], events, tallies });
});

test('a schema of a newer version is refused with one line', async () => {
  const address = await cluster.database();
  await open(address).beat(beat('one'));
  await query(address, 'update public_api_monitor.version set number = 99');
  await expect(open(address).beat(beat('two'))).rejects.toThrow(
    /^the database in MONITOR_STATE was written by a newer monitor \(version 99, this one knows 1\): run that one, or set MONITOR_STATE to another database$/,
  );
});

test('each reason for which a database cannot be used is stated, with what to do', async () => {
  const address = await cluster.database();
  const name = /fleet_\d+/.exec(address)?.[0] ?? '';
  const admin = new pg.Client(address.replace(name, 'postgres'));
  await admin.connect();
  const refusal = async (at: string): Promise<unknown> => {
    const error = await open(at)
      .beat(beat('one'))
      .catch((caught: unknown) => caught);
    return error instanceof Error ? [error.constructor.name, error.message] : error;
  };
  expect(await refusal(address.replace(name, 'missing'))).toEqual([
    'StateOpenError',
    'the database in MONITOR_STATE has no database of that name: create it, or correct MONITOR_STATE',
  ]);
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  expect(await refusal(address)).toEqual([
    'DatabaseGone',
    'it is read-only, as a standby is: let MONITOR_STATE lead to the primary (25006)',
  ]);
  await admin.query(`alter database ${name} with allow_connections off`);
  expect(await refusal(address)).toEqual(['DatabaseGone', 'it takes no connections now (55000)']);
  await admin.end();
});

test('an address that nothing listens on, and one without a socket, have different messages', async () => {
  const address = await cluster.database();
  for (const [host, message] of [
    ['/nowhere', 'its socket does not exist (ENOENT)'],
    ['127.0.0.1&port=1', 'nothing listens at its address (ECONNREFUSED)'],
  ] as const) {
    const database = open(address.replace(/host=.*/, `host=${host}`));
    await expect(database.beat(beat('one'))).rejects.toThrow(message);
  }
});

test('members that join a new database at the same time create the schema once', async () => {
  for (let round = 0; round < 4; round++) {
    const address = await cluster.database();
    const members = Array.from({ length: 8 }, () => open(address));
    await Promise.all(members.map((one, index) => one.beat(beat(`member-${index}`))));
  }
});

test('a member joins although another one stands still while it looks at the schema', async () => {
  const address = await cluster.database();
  await open(address).beat(beat('one'));
  const stopped = new pg.Client(address);
  await stopped.connect();
  await stopped.query('begin');
  await stopped.query("select pg_advisory_xact_lock(hashtext('public_api_monitor'), 2)");
  expect((await open(address).beat(beat('two'))).members).toHaveLength(2);
  await stopped.end();
});
