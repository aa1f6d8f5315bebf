import { expect, test } from '@playwright/test';
import { Secret } from '../../contract/secrets/secret.ts';
import type { FleetStatus } from '../../monitor/fleet/fleet-status.ts';
import { lately } from '../../monitor/web/lately.ts';
import { serving } from './serving.ts';
import { start, statusWith } from './statuses.ts';

const authToken = new Secret('planted-token:0123456789');

/** A monitor that requires a token on every route except those of badges. */
const open = (more: Parameters<typeof serving>[0] = {}) =>
  serving({ authToken, hasPublicBadges: true, ...more });

const paths = [
  '/',
  '/targets/under-test',
  '/status.json',
  '/metrics',
  '/probe?target=under-test',
  '/sd',
  '/style.css',
  '/icon.svg',
  '/live.js',
  '/changes',
  '/badge',
  '/badge/',
  '/badge/under-test',
  '/badge/under-test.svg/',
  '/badge/under-test.svg/x',
  '/badge/under-test.png',
  '/badge//under-test.svg',
  '//badge/under-test.svg',
  '/BADGE/under-test.svg',
  '/x/badge/under-test.svg',
  '/badge/../status.json',
  '/badge/%2e%2e/status.json',
  '/badge/x.svg/../../status.json',
  '/status.json?/badge/under-test.svg',
  '/status.json#/badge/under-test.svg',
  '/nowhere',
];

test('every route except those of badges still requires the token', async () => {
  const { get } = open();
  for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 401]);
  expect((await get('/-/reload', { method: 'POST' })).status).toBe(401);
});

test('public badges are shown without the token, also by pages of other sites', async () => {
  for (const file of ['under-test.svg', 'under-test.json']) {
    const response = await open().get(`http://status.example/badge/${file}`);
    expect([file, response.status]).toEqual([file, 200]);
    expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    const other = await open().get('/metrics');
    expect(other.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
  }
});

test('badges require the token unless they are public', async () => {
  for (const hasPublicBadges of [false, undefined])
    for (const file of ['under-test.svg', 'under-test.json']) {
      const response = await open({ hasPublicBadges }).get(`/badge/${file}`);
      expect(response.status).toBe(401);
      expect(response.headers.get('Cross-Origin-Resource-Policy')).toBe('same-origin');
    }
});

test('a path that leads out of the folder of badges is the name of a badge', async () => {
  for (const path of [
    '/badge/..%2fstatus.json',
    '/badge/%2e%2e%2fstatus.json',
    '/badge/x%2f..%2f..%2fstatus.json',
    '/badge/missing.svg',
  ]) {
    const response = await open().get(path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).toBe('No target has that name: /sd lists all of them.\n');
  }
});

test('a public badge can only be read', async () => {
  const { get } = open();
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect((await get('/badge/under-test.svg', { method })).status).toBe(405);
  const headers = { 'Content-Length': '1' };
  expect((await get('/badge/under-test.svg', { method: 'POST', headers })).status).toBe(413);
});

test('public badges are shown under every host name, and nothing else is', async () => {
  const { get } = serving({ hasPublicBadges: true }, { isOurName: (name) => name === 'localhost' });
  expect((await get('http://status.example/badge/under-test.svg')).status).toBe(200);
  expect((await get('http://status.example/status.json')).status).toBe(421);
});

test('a badge as data is what shields.io reads', async () => {
  const { get, become } = open();
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

test('the badge of a target that another member holds is made here', async () => {
  const held = { authority: 'inside.example:9797', state: 'broken' } as const;
  const { get } = open({
    fleet: async () => {
      const quiet = { name: 'quiet', ...held, maintenance: { until: new Date(start) } };
      return { members: [], targets: [{ name: 'far', ...held }, quiet] };
    },
  });
  for (const [name, message] of [
    ['far', 'broken'],
    ['quiet', 'maintenance'],
  ] as const) {
    const text = await (await get(`/badge/${name}.json`)).text();
    expect(JSON.parse(text)).toMatchObject({ label: name, message });
    expect(text).not.toContain('inside');
  }
  expect((await get('/badge/missing.svg')).status).toBe(404);
});

test("a target's page does not wait for a fleet's slow database", async () => {
  const database = Promise.withResolvers<FleetStatus>();
  const { get } = serving({ fleet: () => database.promise });
  const overview = get('/');
  expect((await get('/targets/under-test')).status).toBe(200);
  database.resolve({ members: [], targets: [] });
  expect((await overview).status).toBe(200);
});

test('a costly result is found once a second, and an error is not remembered', async () => {
  let now = 0;
  let found = 0;
  const find = lately(
    async () => {
      found += 1;
      if (found === 2) throw new Error('gone');
      return found;
    },
    { monotonic: () => now },
  );
  expect(await Promise.all([find(), find(), find()])).toEqual([1, 1, 1]);
  now = 999;
  expect(await find()).toBe(1);
  now = 1_000;
  await expect(find()).rejects.toThrow('gone');
  expect(await find()).toBe(3);
});
