import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readSettings } from '../../config/settings.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { formatConfig } from '../../monitor/config/config-summary.ts';
import { ownOf, shardOf } from '../../monitor/shard.ts';

const targetsNamed = (names: readonly string[]) => names.map((name) => ({ name }));

/** Typical names of targets, which differ only by a number. */
const alike = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `production-${index}`);

const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/), { maxLength: 60 });
const of = fc.integer({ min: 1, max: 100 });

/** Every shard of a given total. */
const shards = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: index + 1, of: count }));

test('each target is watched by exactly one shard, whatever the number of shards and the order of the file', () => {
  fc.assert(
    fc.property(names, of, (all, count) => {
      const watched = shards(count).flatMap((shard) => ownOf(targetsNamed(all), shard));
      expect(watched.map(({ name }) => name).sort()).toEqual([...all].sort());
      const back = shards(count).flatMap((shard) => ownOf(targetsNamed(all.toReversed()), shard));
      expect(back.map(({ name }) => name).sort()).toEqual([...all].sort());
    }),
    { numRuns: 30 },
  );
});

test('an added shard takes targets, and no target moves to another shard', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 99 }), (all, count) => {
      for (const name of all)
        expect([shardOf(name, count), count + 1]).toContain(shardOf(name, count + 1));
    }),
    { numRuns: 50 },
  );
});

test('an added shard takes about its share of the targets', () => {
  for (const count of [1, 2, 3, 5, 9]) {
    const moved = alike(2_000).filter((name) => shardOf(name, count) !== shardOf(name, count + 1));
    const share = moved.length / 2_000;
    expect(share).toBeGreaterThan(0.8 / (count + 1));
    expect(share).toBeLessThan(1.2 / (count + 1));
  }
});

test('names that differ only in a number are distributed evenly', () => {
  for (const count of [2, 3, 5, 10])
    for (const shard of shards(count)) {
      const share = ownOf(targetsNamed(alike(2_000)), shard).length / 2_000;
      expect(share).toBeGreaterThan(0.8 / count);
      expect(share).toBeLessThan(1.2 / count);
    }
});

test('the shard of a target is the same in every version', () => {
  // Of 1/production-0, 2/production-0 and 3/production-0 the second has the greatest SHA-256.
  expect(alike(8).map((name) => shardOf(name, 3))).toEqual([2, 2, 2, 3, 2, 2, 2, 1]);
});

test('a share is written as index and total, from the first to the last', () => {
  const set = (MONITOR_SHARD: string) =>
    readSettings({ MONITOR_SHARD, MONITOR_CONFIG: 'monitor.example.yaml' }).monitor.shard;
  expect(['1/3', '3/3', ' 1/1 ', '100/100'].map(set)).toEqual([
    { number: 1, of: 3 },
    { number: 3, of: 3 },
    { number: 1, of: 1 },
    { number: 100, of: 100 },
  ]);
});

test('a single shard needs no targets file', () => {
  expect(readSettings({ MONITOR_SHARD: '1/1' }).monitor.shard).toEqual({ number: 1, of: 1 });
});

test('--check lists the targets of a shard, and their number', () => {
  const file = test.info().outputPath('monitor.yaml');
  const credentials = { apiKeyEnv: 'KEY', secretKeyEnv: 'SECRET' };
  const targets = alike(5).map((name) => ({ name, url: 'https://api.example.test', credentials }));
  writeFileSync(
    file,
    JSON.stringify({ defaults: { endpoints: ['GET /public-api/v1/widgets'] }, targets }),
  );
  const env = { KEY: '<API_KEY>', SECRET: '<SECRET_KEY>' };
  const config = readTargetsFile(file, { env, probes: [] });
  const message = shards(3).map((shard) => formatConfig({ ...config, file: 'f' }, [], shard));
  const heads = message.map((text) => text.split('\n')[0]);
  const counts = shards(3).map((shard) => ownOf(targets, shard).length);
  expect(heads).toEqual(
    counts.map((count, index) => `f names 5 targets, of which ${count} for shard ${index + 1}/3`),
  );
  const named = message.flatMap((text) => text.match(/^production-\d/gm) ?? []);
  expect(named.sort()).toEqual(alike(5));
});
