import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { readSettings } from '../../config/settings.ts';
import { findShard, readShard } from '../../monitor/targets.ts';

/** Typical names of targets, which differ only by a number. */
const alike = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `production-${index}`);

const names = fc.uniqueArray(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,30}$/), { maxLength: 60 });

test('an added shard takes targets, and no target moves to another shard', () => {
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 99 }), (all, count) => {
      for (const name of all)
        expect([findShard(name, count), count + 1]).toContain(findShard(name, count + 1));
    }),
    { numRuns: 50 },
  );
});

test('names that differ only in a number are distributed evenly', () => {
  for (const count of [2, 3, 5, 10]) {
    const shares = Map.groupBy(alike(2_000), (name) => findShard(name, count));
    for (let number = 1; number <= count; number += 1) {
      const share = (shares.get(number)?.length ?? 0) / 2_000;
      expect(share).toBeGreaterThan(0.8 / count);
      expect(share).toBeLessThan(1.2 / count);
    }
  }
});

test('the shard of a target is the same in every version', () => {
  // Of 1/production-0, 2/production-0 and 3/production-0 the second has the greatest SHA-256.
  expect(alike(8).map((name) => findShard(name, 3))).toEqual([2, 2, 2, 3, 2, 2, 2, 1]);
});

const read = (MONITOR_SHARD: string, host?: string) => {
  const settings = readSettings({ MONITOR_SHARD, PUBLIC_API_TARGETS: 'targets.example.yaml' });
  return readShard(settings.monitor, host);
};

test('a share is written as index and total, from the first to the last', () => {
  expect(['1/3', '3/3', ' 1/1 ', '100/100'].map((text) => read(text))).toEqual([
    { number: 1, of: 3 },
    { number: 3, of: 3 },
    { number: 1, of: 1 },
    { number: 100, of: 100 },
  ]);
  expect(() => read('4/3')).toThrow('MONITOR_SHARD has an index above its total');
});

test('auto takes the number from the host name, as a pod of a StatefulSet has it', () => {
  expect(read('auto/5', 'web-0')).toEqual({ number: 1, of: 5 });
  expect(read('auto/5', 'web-4')).toEqual({ number: 5, of: 5 });
  for (const host of ['web-5', 'web'])
    expect(() => read('auto/5', host)).toThrow('ends with no number below it');
});
