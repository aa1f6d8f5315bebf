import { expect, test } from '@playwright/test';
import { keepingCanaries } from './in-memory.ts';
import { down } from './service-in-memory.ts';

const hour = 3_600_000;
const day = 24 * hour;

test('canaries survive a restart, sealed, and are kept for eight days after their last admission', async () => {
  const { time, rows, start, canaries, violated } = keepingCanaries();
  start();
  await time.pass(23 * hour);
  start();
  expect(rows().length).toBe(6);
  expect(JSON.stringify(rows())).not.toContain('of-the-service-in-memory');
  expect(canaries()).toMatchObject({ alive: 6 });
  // The next one is started four hours after the last, as if there had been no restart.
  await time.pass(hour - 1);
  expect(rows().length).toBe(6);
  await time.pass(2 * hour);
  expect(rows().length).toBe(7);
  expect(canaries()?.expired).toBeGreaterThan(0);
  expect(violated()).toEqual([]);
  await time.pass(9 * day);
  expect(rows().length).toBeGreaterThanOrEqual(9 * 6);
});

test('the age of a canary that was proven before a reboot counts after it', async () => {
  const { time, provider, start, violated } = keepingCanaries();
  provider.lifetime = 48 * hour;
  start();
  await time.pass(22 * hour);
  time.reboot();
  start();
  // The ages were stored at the latest check of a canary, an hour before.
  await time.pass(2.9 * hour);
  expect(violated()).toEqual([]);
  await time.pass(0.5 * hour);
  expect(violated()).toEqual(['EXPIRY-2']);
});

test('a wall clock that is set back during a restart delays no canary', async () => {
  const { time, rows, start } = keepingCanaries();
  start();
  await time.pass(23 * hour);
  time.step(-10 * day);
  start();
  await time.pass(4.1 * hour);
  expect(rows().length).toBe(7);
});

test('a check without an answer is repeated after a minute, by a request that changes nothing', async () => {
  const { time, provider, target, start, checks } = keepingCanaries();
  const [get] = target.endpoints;
  start({ endpoints: [{ method: 'POST', path: '/public-api/v1/reports' }, get] });
  await time.pass(0.9 * hour);
  const asked: number[] = [];
  provider.answer = (line) => {
    if (line.endsWith('/token')) return undefined;
    expect(line).toBe('GET /public-api/v1/widgets');
    asked.push(time.truth());
    return down();
  };
  await time.pass(0.2 * hour);
  const apart = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
  expect(new Set(apart)).toEqual(new Set([60_000]));
  expect(checks()).toEqual([]);
});

test('canaries that were lost in maintenance are still counted after a restart, for a week', async () => {
  const { time, provider, start, canaries } = keepingCanaries();
  const from = time.wall() + 6 * hour;
  const maintenance = [{ from, until: from + hour }];
  start({ maintenance });
  await time.pass(6.5 * hour);
  provider.wipe();
  await time.pass(13 * hour);
  const lost = canaries()?.lost;
  expect(lost).toBeGreaterThan(0);
  start({ maintenance });
  expect(canaries()?.lost).toBe(lost);
  await time.pass(9 * day);
  expect(canaries()?.lost).toBe(0);
});

test('what a canary shows in maintenance violates nothing', async () => {
  const { time, provider, start, checks, violated } = keepingCanaries();
  provider.lifetime = 25 * hour;
  const from = time.wall() + 23 * hour;
  start({ maintenance: [{ from, until: from + 2 * hour }] });
  await time.pass(24.5 * hour);
  expect(checks().map(({ verdict }) => verdict)).toContain('late_accept');
  expect(violated()).toEqual([]);
});

test('canaries that are turned off are not shown, and go on when turned on again', async () => {
  const { time, rows, start, canaries, token } = keepingCanaries();
  start();
  await time.pass(13 * hour);
  expect(canaries()?.alive).toBe(4);
  start({ canaries: 'off' });
  await time.pass(hour);
  expect(canaries()).toBeUndefined();
  expect(rows()).toHaveLength(4);
  start({ toleranceMs: 60_000 });
  expect(canaries()?.alive).toBe(4);
  expect(token()?.toleranceSeconds).toBe(60);
});

for (const [what, answer] of [
  ['away', () => down()],
  ['refusing the credentials', () => ({ status: 400 })],
  [
    'refusing its new tokens',
    (line: string) => (line.startsWith('GET') ? { status: 401 } : undefined),
  ],
] as const)
  test(`a canary that cannot be started while the provider is ${what} is started later`, async () => {
    const { time, provider, start, canaries } = keepingCanaries();
    provider.answer = answer;
    start();
    await time.pass(2 * hour);
    expect(canaries()?.alive).toBe(0);
    delete provider.answer;
    await time.pass(5.1 * 60_000);
    expect(canaries()?.alive).toBe(1);
    await time.pass(hour);
    expect(canaries()?.alive).toBe(1);
  });

test('a target whose address changes never sends a token of one host to another', async () => {
  const { time, provider, target, start, verdict } = keepingCanaries();
  start();
  await time.pass(6 * hour);
  const old = new Set(provider.shown.map(({ token }) => token));
  expect(old.size).toBeGreaterThan(1);
  start({ connection: { ...target.connection, origin: new URL('http://elsewhere') } });
  await time.pass(30 * hour);
  const elsewhere = provider.shown.filter(({ host }) => host === 'elsewhere');
  expect(elsewhere.length).toBeGreaterThan(0);
  expect(elsewhere.filter(({ token }) => old.has(token))).toEqual([]);
  expect(verdict('EXPIRY-1')).toBe('holds');
});

test('canaries of other credentials are dropped', async () => {
  const { time, target, rows, start, canaries } = keepingCanaries();
  start();
  await time.pass(15 * hour);
  expect(canaries()?.alive).toBeGreaterThan(2);
  const secretKey = target.account.secretKey.derive((key) => `${key}x`);
  start({ account: { ...target.account, secretKey } });
  expect(canaries()).toMatchObject({ alive: 0, lost: 0 });
  expect(rows()).toEqual([]);
});

test('tokens that the provider ends because their API key was replaced violate no clause', async () => {
  const { time, provider, target, start, canaries, violated } = keepingCanaries();
  start();
  await time.pass(10 * hour);
  provider.wipe();
  let made = 0;
  provider.answer = (line, token) => {
    if (line.startsWith('GET')) return token?.startsWith('new') === true ? {} : undefined;
    const data = { accessToken: `new-${made++}` };
    return { body: Buffer.from(JSON.stringify({ success: true, message: 'ok', data })) };
  };
  const apiKey = target.account.apiKey.derive((key) => `${key}x`);
  start({ account: { ...target.account, apiKey } });
  await time.pass(13 * hour);
  expect(violated()).toEqual([]);
  expect(canaries()).toMatchObject({ failed: 0, lost: 0 });
});
