import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { down, type InMemory, inMemory, watching } from './in-memory.ts';
import { type SimulatedTime, simulatedTime } from './simulated-time.ts';

const hour = 3_600_000;

/** A correct provider whose target starts a canary every four hours. */
function keepAliveAgent() {
  const time = simulatedTime();
  const provider = inMemory(time);
  const target = { ...provider.target, canaries: { everySeconds: 4 * 3600 } };
  return { time, provider, target };
}

test('the hours since the last check make the age of a new canary no less certain', async () => {
  const { time, provider, target } = keepAliveAgent();
  const one = watching([opens], { time, provider, targets: [target] });
  await time.pass(10 * hour);
  const { checks = [] } = one.status().targets[0]?.token ?? {};
  expect(checks.length).toBeGreaterThanOrEqual(2);
  for (const { leastSeconds, mostSeconds = Infinity } of checks)
    expect(mostSeconds - leastSeconds).toBeLessThan(5);
});

test('canaries that were lost in maintenance are still counted after a restart, for a week', async () => {
  const { time, provider, target } = keepAliveAgent();
  const from = time.wall() + 6 * hour;
  const targets = [{ ...target, maintenance: [{ from, until: from + hour }] }];
  const first = watching([opens], { time, provider, targets });
  await time.pass(6.5 * hour);
  provider.wipe();
  await time.pass(13 * hour);
  const lost = first.status().targets[0]?.token?.canaries.lost;
  expect(lost).toBeGreaterThan(0);
  await first.drain(1_000);
  time.kill();
  const again = watching([], { time, provider, targets, state: first.state });
  expect(again.status().targets[0]?.token?.canaries.lost).toBe(lost);
  await time.pass(9 * 24 * hour);
  expect(again.status().targets[0]?.token?.canaries.lost).toBe(0);
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
    const { time, provider, target } = keepAliveAgent();
    provider.answer = answer;
    const one = watching([opens], { time, provider, targets: [target] });
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
  const { time, provider, target } = keepAliveAgent();
  provider.answer = down;
  watching([], { time, provider, targets: [{ ...target, canaries: { everySeconds: 600 } }] });
  await time.pass(24 * hour);
  expect(provider.asked.length).toBeLessThan(24 * (12 + 6) + 2);
});

test('canaries that start every ten minutes never pause, although at most 200 are kept', async () => {
  const { time, provider, target } = keepAliveAgent();
  const targets = [{ ...target, canaries: { everySeconds: 600 } }];
  const one = watching([], { time, provider, targets });
  await time.pass(60 * hour);
  const { alive = 0, expired = 0 } = one.status().targets[0]?.token?.canaries ?? {};
  expect(alive).toBeGreaterThanOrEqual(144);
  expect(alive + expired).toBe(200);
});

for (const [what, restart] of [
  ['while it runs', false],
  ['over a restart', true],
] as const)
  test(`a target whose address changes ${what} never sends a token of one host to another`, async () => {
    const { time, provider, target } = keepAliveAgent();
    const moved = {
      ...target,
      connection: { ...target.connection, origin: new URL('http://elsewhere') },
    };
    let one = watching([opens], { time, provider, targets: [target] });
    await time.pass(6 * hour);
    const old = new Set(provider.shown.map(({ token }) => token));
    expect(old.size).toBeGreaterThan(1);
    if (restart) {
      await one.drain(1_000);
      time.kill();
      one = watching([opens], { time, provider, targets: [moved], state: one.state });
    } else one.retarget([moved]);
    await time.pass(30 * hour);
    const elsewhere = provider.shown.filter(({ host }) => host === 'elsewhere');
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.filter(({ token }) => old.has(token))).toEqual([]);
    const verdict = one.status().targets[0]?.clauses.find(({ id }) => id === 'EXPIRY-1')?.verdict;
    expect(verdict).toBe('holds');
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
    const { time, provider, target } = keepAliveAgent();
    const throttled = { ...target, canaries: { everySeconds: 40 * 3600 } };
    const one = watching([], { time, provider, targets: [throttled] });
    let [last, isOdd] = ['', false];
    // Of several requests at the same instant, the proxy answers only the first.
    provider.answer = (line) => {
      const now = `${time.truth()}`;
      isOdd = line.startsWith('GET') && last !== now;
      last = now;
      return isOdd ? answer : undefined;
    };
    await time.pass(60 * hour);
    const status = one.status().targets[0];
    const violated = status?.clauses.filter(({ verdict }) => verdict === 'violated');
    expect(violated).toEqual([]);
    expect(status?.token?.checks.length).toBeGreaterThan(8);
    expect(new Set(status?.token?.checks.map(({ verdict }) => verdict))).toEqual(new Set(['ok']));
  });

for (const status of [403, 404, 500])
  test(`a ${status} to an expired canary violates nothing while a valid token gets it too`, async () => {
    const { time, provider, target } = keepAliveAgent();
    const one = watching([opens], { time, provider, targets: [target] });
    await time.pass(23.5 * hour);
    provider.answer = (line) => (line.startsWith('GET') ? { status } : undefined);
    await time.pass(hour);
    const { clauses = [], token } = one.status().targets[0] ?? {};
    expect(token?.checks[0]).toMatchObject({ verdict: 'wrong_answer' });
    expect(clauses.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  });

test('a 500 that only an expired canary gets violates ERROR-1', async () => {
  const { time, provider, target } = keepAliveAgent();
  const exchange: InMemory['exchange'] = async (...args) => {
    const answer = await provider.exchange(...args);
    return answer.status === 401 ? { ...answer, status: 500 } : answer;
  };
  const faulty = { ...provider, exchange };
  const one = watching([opens], { time, provider: faulty, targets: [target] });
  await time.pass(24.5 * hour);
  const { clauses = [] } = one.status().targets[0] ?? {};
  expect(clauses.filter(({ verdict }) => verdict === 'violated').map(({ id }) => id)).toEqual([
    'ERROR-1',
  ]);
});

test('an early expiry is found by its check times where two servers date their answers ten minutes apart', async () => {
  const { time, provider, target } = keepAliveAgent();
  provider.lifetime = 23 * hour;
  const answers = { count: 0 };
  const skewed = withTwoClocks(time, provider, () => answers.count++ % 2 === 0);
  const one = watching([opens], { time, provider: skewed, targets: [target] });
  await time.pass(28 * hour);
  const verdict = one.status().targets[0]?.clauses.find(({ id }) => id === 'EXPIRY-1')?.verdict;
  expect(verdict).toBe('violated');
});

test('a stop of the machine after a restart is not taken for an early expiry where the clocks of two servers differ', async () => {
  const { time, provider, target } = keepAliveAgent();
  const skewed = withTwoClocks(time, provider, () => time.truth() < 11 * hour);
  const first = watching([opens], { time, provider: skewed, targets: [target] });
  await time.pass(13 * hour);
  await first.drain(1_000);
  time.kill();
  // Only the provider's `Date` can show that the machine was stopped.
  time.pause(40_000, false);
  const again = watching([opens], {
    time,
    provider: skewed,
    targets: [target],
    state: first.state,
  });
  await time.pass(12 * hour);
  const { clauses = [], token } = again.status().targets[0] ?? {};
  expect(clauses.find(({ id }) => id === 'EXPIRY-1')?.verdict).not.toBe('violated');
  expect(token?.checks).toContainEqual(
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
