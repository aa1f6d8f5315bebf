import { expect, test } from '@playwright/test';
import { probes } from '../../probes/index.ts';
import { anotherTokenLeavesTheFirstAlive as another } from '../../probes/own-end.ts';
import { keepingCanaries, quiet } from './in-memory.ts';
import type { InMemory } from './service-in-memory.ts';

const minute = 60_000;
const hour = 60 * minute;

test('a correct provider gives proven lifetime bounds in a day and a half, and violates no clause', async () => {
  const { time, start, token, verdict, violated } = keepingCanaries();
  start();
  await time.pass(36 * hour);
  expect(token()?.canaries).toEqual({ alive: 6, expired: 3, failed: 0, lost: 0 });
  expect(token()?.toleranceSeconds).toBe(5);
  expect(token()?.atLeastSeconds).toBeGreaterThan(86_369);
  expect(token()?.atLeastSeconds).toBeLessThan(86_400);
  expect(token()?.atMostSeconds).toBeLessThan(86_433);
  for (const clause of ['EXPIRY-1', 'EXPIRY-2', 'EXPIRY-5'] as const)
    expect(verdict(clause)).toBe('holds');
  expect(violated()).toEqual([]);
});

for (const [what, lifetime, broken, verdict] of [
  ['a minute too long', 24 * hour + minute, 'EXPIRY-2', 'late_accept'],
  ['an hour too short', 23 * hour, 'EXPIRY-1', 'early_reject'],
] as const)
  test(`tokens that live ${what} break ${broken}, and no other clause`, async () => {
    const { time, provider, start, status, canaries, violated } = keepingCanaries();
    provider.lifetime = lifetime;
    start();
    await time.pass(25 * hour);
    expect(violated()).toEqual([broken]);
    expect(canaries()?.failed).toBeGreaterThan(0);
    expect(status().checks.some((check) => check.verdict === verdict)).toBe(true);
    const [finding] = status().clauses[broken].findings;
    expect(finding?.when).toMatch(/^at 2[34] h .* after the token was made, /);
    expect(JSON.stringify(status())).not.toContain('of-the-service-in-memory');
  });

/** Answers that a proxy may give in place of the provider. */
const odd: readonly NonNullable<ReturnType<NonNullable<InMemory['answer']>>>[] = [
  { status: 401, body: Buffer.from('log in') },
  { status: 500, body: Buffer.from('oops') },
  {
    status: 200,
    headers: [['Content-Type', 'text/html']],
    body: Buffer.from('<html>a page</html>'),
  },
];

for (const answer of odd)
  test(`three answers of ${answer.status} by a proxy to a canary, at any age, decide nothing`, async () => {
    const { time, provider, start, checks, violated } = keepingCanaries(40 * 3600);
    start();
    // Of the requests of a check, the proxy answers the first three.
    const counts = new Map<number, number>();
    provider.answer = (line) => {
      const count = line.startsWith('GET') ? (counts.get(time.truth()) ?? 0) : 3;
      counts.set(time.truth(), count + 1);
      return count < 3 ? answer : undefined;
    };
    await time.pass(60 * hour);
    expect(violated()).toEqual([]);
    expect(checks().length).toBeGreaterThan(8);
    expect(new Set(checks().map(({ verdict }) => verdict))).toEqual(new Set(['ok']));
  });

for (const status of [403, 500])
  test(`a ${status} to an expired canary violates nothing while a valid token gets it too`, async () => {
    const { time, provider, start, checks, violated } = keepingCanaries();
    start();
    await time.pass(23.5 * hour);
    provider.answer = (line) => (line.startsWith('GET') ? { status } : undefined);
    await time.pass(hour);
    // Thirty seconds after its end, and five minutes: a wrong answer may last.
    const late = checks().filter(({ leastSeconds }) => leastSeconds > 86_400);
    expect(late.map(({ verdict }) => verdict)).toEqual(['wrong_answer', 'wrong_answer']);
    expect(violated()).toEqual([]);
  });

for (const [what, answer, ofTokens = answer] of [
  ['a page with 200', { headers: [['Content-Type', 'text/html']], body: Buffer.from('<html>') }],
  ['a denial with 200', { body: Buffer.from('{"success":false,"message":"back soon"}') }],
  ["a proxy's 401", { status: 401, body: Buffer.from('log in') }],
  ['a page with 200, except for tokens,', { body: Buffer.from('<html>') }, { status: 503 }],
] as const)
  test(`${what} for every request violates nothing where canaries are due, and delays their checks`, async () => {
    const { time, provider, start, verdict, violated } = keepingCanaries();
    start();
    await time.pass(23.5 * hour);
    const found = new Set<string>();
    for (let day = 0; day < 2; day++) {
      provider.answer = (line) => (line.endsWith('/token') ? ofTokens : answer);
      for (let passed = 0; passed < 24; passed++) {
        if (passed === 2) delete provider.answer;
        await time.pass(hour);
        for (const clause of violated()) found.add(clause);
        if (day === 0 && passed === 1) expect(verdict('EXPIRY-2')).toBe('unverified');
      }
    }
    expect([...found]).toEqual([]);
    expect(verdict('EXPIRY-2')).toBe('holds');
  });

test('a canary whose first answer comes from a proxy is known by the second, and is checked by one request', async () => {
  const { time, provider, start, checks } = keepingCanaries(40 * 3600);
  const asked: number[] = [];
  provider.answer = (line) => {
    if (line.startsWith('POST')) return undefined;
    asked.push(time.truth());
    return { status: asked.length === 1 ? 500 : 404 };
  };
  start();
  await time.pass(13 * hour);
  expect(checks().map(({ verdict }) => verdict)).toEqual(['ok', 'ok']);
  expect(asked).toHaveLength(4);
});

test('a token that was first given to another caller minutes ago violates no clause', async () => {
  const { time, provider, start, checks, violated } = keepingCanaries();
  // Each token is given for a quarter of an hour, and the first canary gets one of seven minutes.
  const quarters = () => (time.truth() + 7 * minute) / (15 * minute);
  const json = (status: number, value: object) => ({
    status,
    body: Buffer.from(JSON.stringify(value)),
  });
  provider.answer = (line, token = '') => {
    const data = { accessToken: `token-${Math.floor(quarters())}` };
    if (line.startsWith('POST')) return json(200, { success: true, message: 'ok', data });
    if (quarters() - Number(token.slice(6)) < 24 * 4) return json(200, {});
    return json(401, { success: false, message: 'Invalid or expired access token.' });
  };
  start();
  await time.pass(30 * hour);
  expect(checks().length).toBeGreaterThan(10);
  expect(violated()).toEqual([]);
});

test('a 500 that only an expired canary gets violates ERROR-1', async () => {
  const { time, provider, start, violated } = keepingCanaries();
  const exchange: InMemory['exchange'] = async (...args) => {
    const answer = await provider.exchange(...args);
    return answer.status === 401 ? { ...answer, status: 500 } : answer;
  };
  start({ exchange });
  await time.pass(24.5 * hour);
  expect(violated()).toEqual(['ERROR-1']);
});

test('data that an expired canary gets violates EXPIRY-2 also while no token is issued', async () => {
  const { time, provider, start, violated } = keepingCanaries();
  provider.lifetime = 25 * hour;
  start();
  await time.pass(23.9 * hour);
  provider.answer = (line) => (line.endsWith('/token') ? { status: 503 } : undefined);
  await time.pass(0.2 * hour);
  expect(violated()).toEqual(['EXPIRY-2']);
});

test('a canary that a newer token has ended is lost, and violates no clause', async () => {
  const { time, provider, start, token, violated } = keepingCanaries();
  start();
  await time.pass(30 * minute);
  provider.answer = (line) => {
    if (line === 'POST /public-api/v1/auth/token') provider.wipe();
    return undefined;
  };
  await time.pass(20 * hour);
  expect(violated()).toEqual([]);
  expect(token()?.canaries.lost).toBeGreaterThan(3);
  expect(token()?.atMostSeconds).toBeUndefined();
});

test('token invalidation is the only finding where a new token ends the earlier one, and no canary is kept', async () => {
  const { time, provider, watch } = quiet({ canaries: { everySeconds: 3600 } });
  provider.answer = (line) => {
    if (line.startsWith('POST') && line.endsWith('/token')) provider.wipe();
    return undefined;
  };
  const monitor = watch(probes);
  await time.pass(5 * hour);
  expect(monitor.violated()).toEqual(['EXPIRY-4']);
  const token = monitor.token();
  expect(token?.off).toContain('EXPIRY-4');
  expect(token?.canaries).toMatchObject({ alive: 0, failed: 0 });
});

test("a provider that reissues another caller's valid token violates no clause", async () => {
  const { time, provider, start, canaries, violated } = keepingCanaries();
  provider.givesAgain = true;
  start({ canaries: 'off' });
  await time.pass(5 * hour);
  start({ name: 'another monitor' });
  await time.pass(50 * hour);
  expect(violated()).toEqual([]);
  expect(canaries()?.failed).toBe(0);
});

for (const [what, lifetime] of [
  ['never ends', Infinity],
  ['lives ten minutes too long', 24 * hour + 10 * minute],
] as const)
  test(`a token that ${what} and is reissued violates EXPIRY-2 a day after its first sight`, async () => {
    const { time, provider, start, canaries, violated } = keepingCanaries();
    provider.givesAgain = true;
    provider.lifetime = lifetime;
    start();
    await time.pass(12 * hour);
    start();
    await time.pass(12 * hour + 2 * minute);
    expect(violated()).toEqual(['EXPIRY-2']);
    expect(canaries()).toEqual({ alive: 0, expired: 0, failed: 1, lost: 0 });
  });

test('a provider that reissues a valid token and ends it in time has no finding, also after a restart', async () => {
  const { time, provider, start, canaries, verdict, violated } = keepingCanaries();
  provider.givesAgain = true;
  start();
  await time.pass(30 * hour);
  start();
  for (let passed = 0; passed < 20; passed++) {
    await time.pass(hour);
    expect(violated()).toEqual([]);
  }
  expect(canaries()?.failed).toBe(0);
  expect(verdict('EXPIRY-2')).toBe('holds');
});

test('a reissued token that expires in the middle of a run proves nothing about EXPIRY-4', async () => {
  const { time, provider, watch } = quiet();
  provider.givesAgain = true;
  const monitor = watch([another]);
  await time.pass(hour);
  // The next run requests two tokens; the reissued token ends before the second request.
  let given = 0;
  provider.answer = (line) => {
    if (line.startsWith('POST')) given += 1;
    if (line.startsWith('POST') && given === 2) provider.wipe();
    return undefined;
  };
  await time.pass(24 * hour);
  expect(given).toBeGreaterThan(2);
  expect(monitor.logged.filter((line) => line.includes('violated'))).toEqual([]);
});

test('a stop of the machine is not taken for an early expiry where the Date stands still', async () => {
  const { time, provider, start, checks, verdict } = keepingCanaries();
  const headers: [string, string][] = [['Date', new Date(time.wall()).toUTCString()]];
  const exchange: InMemory['exchange'] = async (...args) => ({
    ...(await provider.exchange(...args)),
    headers,
  });
  start({ exchange });
  await time.pass(12 * hour);
  time.pause(40_000, false);
  await time.pass(14 * hour);
  expect(verdict('EXPIRY-1')).not.toBe('violated');
  expect(checks()).toContainEqual(
    expect.objectContaining({ admitted: false, verdict: 'undecided' }),
  );
});
