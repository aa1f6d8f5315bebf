import { expect, test } from '@playwright/test';
import { serving } from './serving.ts';
import { start, statusWith } from './statuses.ts';

test('a badge as data is what shields.io reads', async () => {
  const { get, become } = serving();
  const [target] = statusWith([]).targets;
  if (target === undefined) throw new Error('no target');
  const until = new Date(start);
  become({
    ...statusWith([]),
    targets: [
      { ...target, name: 'well.example.com', state: 'holds' },
      { ...target, name: 'bad', state: 'broken' },
      { ...target, name: 'away', state: 'unreachable' },
      { ...target, name: 'quiet', state: 'broken', maintenance: { until } },
    ],
  });
  const read = async (name: string) => (await get(`/badge/${name}.json`)).json();
  const badge = (label: string, message: string, color: string, isError: boolean) => ({
    schemaVersion: 1,
    label,
    message,
    color,
    isError,
  });
  expect(await read('well.example.com')).toEqual(
    badge('well.example.com', 'holds', '#1f7a51', false),
  );
  expect(await read('bad')).toEqual(badge('bad', 'broken', '#c4312a', true));
  expect(await read('away')).toEqual(badge('away', 'unreachable', '#9a5b00', true));
  expect(await read('quiet')).toEqual(badge('quiet', 'maintenance', '#66615a', false));
});

test('a path that leads out of the folder of badges is the name of a badge', async () => {
  for (const path of [
    '/badge/..%2fstatus.json',
    '/badge/%2e%2e%2fstatus.json',
    '/badge/x%2f..%2f..%2fstatus.json',
    '/badge/missing.json',
  ]) {
    const response = await serving().get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).toBe('No target has that name: /sd lists all of them.\n');
  }
});
