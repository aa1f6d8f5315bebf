import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/bearer.ts';
import { nightly } from '../nightly.ts';
import { down, type InMemory, quiet } from './in-memory.ts';
import { targetAt } from './provider.ts';
import type { SimulatedTime } from './simulated-time.ts';

const hour = 3_600_000;
const { endpoints } = targetAt(new URL('http://in-memory'));

/** A correct provider whose target has two endpoints and starts a canary at this interval. */
const keepingCanaries = (everySeconds = 4 * 3600) =>
  quiet({ canaries: { everySeconds }, endpoints, periodSeconds: 3600 });

test('the hours since the last check make the age of a new canary no less certain', async () => {
  const { time, watch } = keepingCanaries();
  const one = watch([opens]);
  await time.pass(10 * hour);
  const { checks = [] } = one.status().targets[0]?.token ?? {};
  expect(checks.length).toBeGreaterThanOrEqual(2);
  for (const { leastSeconds, mostSeconds = Infinity } of checks)
    expect(mostSeconds - leastSeconds).toBeLessThan(5);
});

test('canaries that were lost in maintenance are still counted after a restart, for a week', async () => {
  const { time, provider, target, watch } = keepingCanaries();
  const from = time.wall() + 6 * hour;
  const targets = [{ ...target, maintenance: [{ from, until: from + hour }] }];
  const first = watch([opens], { targets });
  await time.pass(6.5 * hour);
  provider.wipe();
  await time.pass(13 * hour);
  const lost = first.status().targets[0]?.token?.canaries.lost;
  expect(lost).toBeGreaterThan(0);
  await first.drain(1_000);
  time.kill();
  const again = watch([], { targets, state: first.state });
  expect(again.status().targets[0]?.token?.canaries.lost).toBe(lost);
  await time.pass(9 * 24 * hour);
  expect(again.status().targets[0]?.token?.canaries.lost).toBe(0);
});

test('canaries that are turned off do not count, go on when turned on again, and are dropped in the end', async () => {
  const { time, target, watch } = keepingCanaries();
  const one = watch([opens]);
  const rows = () => one.state.entries('under-test', 'canary').size;
  const alive = () => one.status().targets[0]?.token?.canaries.alive;
  await time.pass(13 * hour);
  expect([alive(), rows()]).toEqual([4, 4]);
  one.retarget([{ ...target, canaries: 'off' }]);
  await time.pass(hour);
  expect([alive(), rows()]).toEqual([0, 4]);
  one.retarget([target]);
  expect(alive()).toBe(4);
  one.retarget([{ ...target, canaries: 'off' }]);
  await time.pass(9 * 24 * hour);
  one.retarget([{ ...target, canaries: 'off', periodSeconds: 30 }]);
  expect([alive(), rows()]).toEqual([0, 0]);
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
    const { time, provider, watch } = keepingCanaries();
    provider.answer = answer;
    const one = watch([opens]);
    const alive = () => one.status().targets[0]?.token?.canaries.alive;
    await time.pass(2 * hour);
    expect(alive()).toBe(0);
    delete provider.answer;
    await time.pass(5.1 * 60_000);
    expect(alive()).toBe(1);
    await time.pass(hour);
    expect(alive()).toBe(1);
  });

test('a provider that stays away is tried for the missing canary at one instant in five minutes', async () => {
  const { time, provider, watch } = keepingCanaries(600);
  provider.answer = down;
  watch([]);
  await time.pass(24 * hour);
  expect(provider.requests.length).toBeLessThan(24 * (12 + 6) + 2);
});

test.describe('of many canaries', () => {
  nightly();

  test('canaries that start every ten minutes never pause, although at most 200 are kept', async () => {
    const { time, watch } = keepingCanaries(600);
    const one = watch([]);
    await time.pass(60 * hour);
    const { alive = 0, expired = 0 } = one.status().targets[0]?.token?.canaries ?? {};
    expect(alive).toBeGreaterThanOrEqual(144);
    expect(alive + expired).toBe(200);
  });
});

for (const [what, restart] of [
  ['while it runs', false],
  ['over a restart', true],
] as const)
  test(`a target whose address changes ${what} never sends a token of one host to another`, async () => {
    const { time, provider, target, watch } = keepingCanaries();
    const moved = {
      ...target,
      connection: { ...target.connection, origin: new URL('http://elsewhere') },
    };
    let one = watch([opens]);
    await time.pass(6 * hour);
    const old = new Set(provider.shown.map(({ token }) => token));
    expect(old.size).toBeGreaterThan(1);
    if (restart) {
      await one.drain(1_000);
      time.kill();
      one = watch([opens], { targets: [moved], state: one.state });
    } else one.retarget([moved]);
    await time.pass(30 * hour);
    const elsewhere = provider.shown.filter(({ host }) => host === 'elsewhere');
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.filter(({ token }) => old.has(token))).toEqual([]);
    expect(one.verdict('EXPIRY-1')).toBe('holds');
  });

/** Answers that a proxy may give in place of the provider. */
const odd: readonly NonNullable<ReturnType<NonNullable<InMemory['answer']>>>[] = [
  { status: 401, body: Buffer.from('log in') },
  { status: 500, body: Buffer.from('oops') },
  { status: 302 },
  {
    status: 200,
    headers: [['Content-Type', 'text/html']],
    body: Buffer.from('<html>a page</html>'),
  },
];

for (const answer of odd)
  test(`a single ${answer.status} of a proxy to a canary, at any age, decides nothing`, async () => {
    const { time, provider, watch } = keepingCanaries(40 * 3600);
    const one = watch([]);
    let last = '';
    let isOdd = false;
    // Of several requests at the same instant, the proxy answers only the first.
    provider.answer = (line) => {
      const now = `${time.truth()}`;
      isOdd = line.startsWith('GET') && last !== now;
      last = now;
      return isOdd ? answer : undefined;
    };
    await time.pass(60 * hour);
    const status = one.status().targets[0];
    expect(one.violated()).toEqual([]);
    expect(status?.token?.checks.length).toBeGreaterThan(8);
    expect(new Set(status?.token?.checks.map(({ verdict }) => verdict))).toEqual(new Set(['ok']));
  });

for (const status of [403, 404, 500])
  test(`a ${status} to an expired canary violates nothing while a valid token gets it too`, async () => {
    const { time, provider, watch } = keepingCanaries();
    const one = watch([opens]);
    await time.pass(23.5 * hour);
    provider.answer = (line) => (line.startsWith('GET') ? { status } : undefined);
    await time.pass(hour);
    const [check] = one.status().targets[0]?.token?.checks ?? [];
    expect(check).toMatchObject({ verdict: 'wrong_answer' });
    expect(one.violated()).toEqual([]);
  });

for (const [what, answer, ofTokens = answer] of [
  ['a page with 200', { headers: [['Content-Type', 'text/html']], body: Buffer.from('<html>') }],
  ['JSON with 200', { body: Buffer.from('{"maintenance":true}') }],
  ['a denial with 200', { body: Buffer.from('{"success":false,"message":"back soon"}') }],
  ["a proxy's 401", { status: 401, body: Buffer.from('log in') }],
  ['a page with 200, except for tokens,', { body: Buffer.from('<html>') }, { status: 503 }],
] as const)
  test(`${what} for every request violates nothing where canaries are due, and delays their checks`, async () => {
    const { time, provider, watch } = keepingCanaries();
    const one = watch([opens]);
    await time.pass(23.5 * hour);
    const violated = new Set<string>();
    for (let day = 0; day < 2; day++) {
      provider.answer = (line) => (line.endsWith('/token') ? ofTokens : answer);
      for (let passed = 0; passed < 24; passed++) {
        if (passed === 2) delete provider.answer;
        await time.pass(hour);
        for (const clause of one.violated()) violated.add(clause);
        if (day === 0 && passed === 1) expect(one.verdict('EXPIRY-2')).toBe('unverified');
      }
    }
    expect([...violated]).toEqual([]);
    expect(one.verdict('EXPIRY-2')).toBe('holds');
  });

test('a 500 that only an expired canary gets violates ERROR-1', async () => {
  const { time, provider, watch } = keepingCanaries();
  const exchange: InMemory['exchange'] = async (...args) => {
    const answer = await provider.exchange(...args);
    return answer.status === 401 ? { ...answer, status: 500 } : answer;
  };
  const one = watch([opens], { provider: { ...provider, exchange } });
  await time.pass(24.5 * hour);
  expect(one.violated()).toEqual(['ERROR-1']);
});

test('an early expiry is found by its check times where two servers date their answers ten minutes apart', async () => {
  const { time, provider, watch } = keepingCanaries();
  provider.lifetime = 23 * hour;
  const answers = { count: 0 };
  const skewed = withTwoClocks(time, provider, () => answers.count++ % 2 === 0);
  const one = watch([opens], { provider: skewed });
  await time.pass(28 * hour);
  expect(one.verdict('EXPIRY-1')).toBe('violated');
});

test('an early expiry is found by its check times days after a Date was wrong', async () => {
  const { time, provider, watch } = keepingCanaries();
  const skewed = withTwoClocks(time, provider, () => time.truth() < 2 * hour);
  const one = watch([opens], { provider: skewed });
  await time.pass(50 * hour);
  provider.lifetime = 24 * hour - 120_000;
  await time.pass(30 * hour);
  expect(one.verdict('EXPIRY-1')).toBe('violated');
});

test('a stop of the machine after a restart is not taken for an early expiry where the clocks of two servers differ', async () => {
  const { time, provider, watch } = keepingCanaries();
  const skewed = withTwoClocks(time, provider, () => time.truth() < 11 * hour);
  const first = watch([opens], { provider: skewed });
  await time.pass(13 * hour);
  await first.drain(1_000);
  time.kill();
  // Only the provider's `Date` can show that the machine was stopped.
  time.pause(40_000, false);
  const again = watch([opens], { provider: skewed, state: first.state });
  await time.pass(12 * hour);
  expect(again.verdict('EXPIRY-1')).not.toBe('violated');
  expect(again.status().targets[0]?.token?.checks).toContainEqual(
    expect.objectContaining({ admitted: false, verdict: 'undecided' }),
  );
});

test('a stop of the machine is not taken for an early expiry where the Date stands still', async () => {
  const { time, provider, watch } = keepingCanaries();
  const headers: [string, string][] = [['Date', new Date(time.wall()).toUTCString()]];
  const exchange: InMemory['exchange'] = async (...args) => ({
    ...(await provider.exchange(...args)),
    headers,
  });
  const one = watch([opens], { provider: { ...provider, exchange } });
  await time.pass(12 * hour);
  time.pause(40_000, false);
  await time.pass(14 * hour);
  expect(one.violated()).toEqual([]);
  expect(one.status().targets[0]?.token?.checks).toContainEqual(
    expect.objectContaining({ admitted: false, verdict: 'undecided' }),
  );
});

/** A provider of two servers: the clock of one is ten minutes ahead. */
const withTwoClocks = (time: SimulatedTime, provider: InMemory, isAhead: () => boolean) => ({
  ...provider,
  exchange: async (...args: Parameters<InMemory['exchange']>) => {
    const answer = await provider.exchange(...args);
    const now = time.truth() + (isAhead() ? 600_000 : 0) + Date.UTC(2027, 2, 1);
    return { ...answer, headers: [['Date', new Date(now).toUTCString()] as [string, string]] };
  },
});
