import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startBroker } from '../../../pacts/broker/start.ts';
import { needs } from '../../programs.ts';
import { expect, pacticipants, pidIn, runs, send, test } from './broker.ts';

needs('pact-broker');

test('two simultaneous brokers have their own ports, passwords and databases', async ({
  folder,
}) => {
  const starts = ['one', 'two'].map((name) => startBroker({ folder: path.join(folder, name) }));
  const [one, two] = await Promise.all(starts);
  if (one === undefined || two === undefined) throw new Error('two have started');
  await using _one = one;
  await using _two = two;
  expect(one.baseUrl.port).not.toBe(two.baseUrl.port);
  await send(one, '/pacticipants', one, { name: 'known-to-one' });
  expect(await pacticipants(one)).toEqual(['known-to-one']);
  expect(await pacticipants(two)).toEqual([]);
  expect((await send(two, '/', one)).status).toBe(401);
});

test('a stopped broker leaves no process, and continues with its database', async ({ folder }) => {
  const first = await startBroker({ folder });
  await send(first, '/pacticipants', first, { name: 'kept' });
  const pid = pidIn(first.log());
  expect(runs(pid)).toBe(true);
  await first.stop();
  expect(runs(pid)).toBe(false);
  await first.stop();
  await using again = await startBroker({ folder });
  expect(await pacticipants(again)).toEqual(['kept']);
});

test('an empty broker forgets its data, and copies the tables that the first one created', async ({
  folder,
}) => {
  const first = await startBroker({ folder });
  await send(first, '/pacticipants', first, { name: 'forgotten' });
  // The kill leaves the last changes in files beside the database.
  process.kill(pidIn(first.log()), 'SIGKILL');
  await first.ended;
  await using again = await startBroker({ folder, empty: true });
  expect(await pacticipants(again)).toEqual([]);
  expect(again.log()).not.toContain('Database schema version is 0');
});

test('a database that another broker uses stays unchanged', async ({ emptyBroker: first }) => {
  const folder = path.dirname(first.database);
  await send(first, '/pacticipants', first, { name: 'kept' });
  for (const empty of [false, true])
    await expect(startBroker({ folder, empty })).rejects.toThrow(
      `another Pact Broker is at work on ${first.database}: end it first`,
    );
  expect(await pacticipants(first)).toEqual(['kept']);
});

test('a damaged database is reported, and replaced when an empty one is requested', async ({
  folder,
}) => {
  const file = path.join(folder, 'pact_broker.sqlite3');
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE pages AS
    SELECT randomblob(1000) AS content FROM (VALUES (1), (2), (3), (4), (5), (6), (7), (8))`);
  database.close();
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(255, 3 * 4096, 4 * 4096));
  await expect(startBroker({ folder })).rejects.toThrow(
    `${file} is no sound SQLite database: begin an empty one with --empty`,
  );
  await using again = await startBroker({ folder, empty: true });
  expect(await pacticipants(again)).toEqual([]);
});

test('a broker that does not answer in time is stopped', async ({ folder }) => {
  await expect(startBroker({ folder, withinMs: 1 })).rejects.toThrow(
    'the Pact Broker does not answer within 1 ms',
  );
  // If the first broker were still running, it would hold the database.
  await using again = await startBroker({ folder });
  expect(await pacticipants(again)).toEqual([]);
});
