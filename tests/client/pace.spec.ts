import { expect, test } from '@playwright/test';
import type { Received } from '../../contract/http/answer.ts';
import { Pace, type PaceOptions } from '../../contract/http/pace.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';

const start = Date.parse('2026-03-01T12:00:00Z');

const received = (status: number, ...headers: [string, string][]): Received => ({
  status,
  headers,
  body: Buffer.alloc(0),
  phases: { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 },
});

/**
 * A pace on a clock that moves only while the pace sleeps, and the instants at which it sent requests (milliseconds
 * after the start).
 */
function paced(options: Partial<PaceOptions>, answers: readonly Received[] = []) {
  let now = start;
  const sleepers: { until: number; wake: () => void }[] = [];
  const pace = new Pace({
    maxRetryAfterMs: 60_000,
    now: () => now,
    sleep: (ms) => new Promise((wake) => sleepers.push({ until: now + ms, wake })),
    ...options,
  });
  const passed: number[] = [];
  const queue = [...answers];
  const send = () =>
    pace.run('GET /x', async () => {
      passed.push(now - start);
      return queue.shift() ?? received(200);
    });
  /** Advances the clock until no caller sleeps. */
  async function elapse(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      const next = sleepers.sort((a, b) => a.until - b.until).shift();
      if (next === undefined) return;
      now = Math.max(now, next.until);
      next.wake();
    }
  }
  return { pace, send, passed, elapse, clock: () => now };
}

test('requests are spread evenly over each second', async () => {
  const { send, passed, elapse } = paced({ requestsPerSecond: 4 });
  const all = Promise.all([send(), send(), send(), send()]);
  await elapse();
  await all;
  expect(passed).toEqual([0, 250, 500, 750]);
});

const pauses: [what: string, headers: [string, string][], pauseMs: number][] = [
  ['seconds', [['Retry-After', '7']], 7000],
  ['nothing', [], 1000],
  ['zero', [['Retry-After', '0']], 100],
  ['a date gone by', [['Retry-After', 'Sun, 01 Mar 2020 11:00:00 GMT']], 100],
  [
    'a date',
    [
      ['Date', 'Tue, 19 Jan 2038 03:14:00 GMT'],
      ['Retry-After', 'Tue, 19 Jan 2038 03:14:07 GMT'],
    ],
    7000,
  ],
  ['nonsense', [['Retry-After', 'soon, on 5']], 1000],
];

for (const [what, headers, pauseMs] of pauses)
  test(`a 429 that asks for ${what} is waited out, and the request is sent again`, async () => {
    const { send, passed, elapse } = paced({}, [received(429, ...headers)]);
    const request = send();
    await elapse();
    expect((await request).status).toBe(200);
    expect(passed).toEqual([0, pauseMs]);
  });

test('every caller waits during a pause, also one that waits for its turn, and keeps the rate', async () => {
  const limited = received(429, ['Retry-After', '30']);
  const { send, passed, elapse } = paced({ requestsPerSecond: 1 }, [limited]);
  const all = Promise.all([send(), send(), send()]);
  await elapse();
  await all;
  expect(passed[0]).toBe(0);
  expect(passed[1]).toBeGreaterThanOrEqual(30_000);
  const gaps = passed.slice(2).map((at, index) => at - (passed[index + 1] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
  expect(passed).toHaveLength(4);
});

test('a 429 that asks for a longer pause than is waited is rate-limited at once', async () => {
  const { send, passed } = paced({}, [received(429, ['Retry-After', '61'])]);
  const error = await send().then(String, (thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreachableError);
  expect(error).toMatchObject({ reason: 'rate-limited' });
  expect(String(error)).toMatch(
    /^UnreachableError: GET \/x: .*\(Retry-After 61 s, longer than PUBLIC_API_PATIENCE_MS\)$/,
  );
  expect(passed).toEqual([0]);
});

test('the pauses of one request add up, and a provider that always answers 429 gets few requests', async () => {
  const limited = Array.from({ length: 100 }, () => received(429, ['Retry-After', '0']));
  const { send, passed, elapse } = paced({ maxRetryAfterMs: 1000 }, limited);
  const request = send().then(String, String);
  await elapse();
  expect(await request).toContain('longer pause');
  expect(passed).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000]);
});

test('concurrent requests that are paused follow one by one', async () => {
  const limited = Array.from({ length: 12 }, () => received(429));
  const { send, passed, elapse } = paced({}, limited);
  const all = Promise.all(Array.from({ length: 12 }, send));
  await elapse();
  for (const { status } of await all) expect(status).toBe(200);
  // None was admitted, so they follow one by one.
  expect(passed.slice(12, 15)).toEqual([1000, 2000, 3000]);
});

/** A provider with a fixed window, on the clock of `paced`. @param headers of a 429 and of the last answer before it */
function windowed(most: number, windowMs: number, headers: (leftMs: number) => [string, string][]) {
  let [began, count] = [Number.NEGATIVE_INFINITY, 0];
  const refused: number[] = [];
  return {
    refused,
    answer(now: number): Received {
      if (now - began >= windowMs) [began, count] = [now, 0];
      count += 1;
      const left = began + windowMs - now;
      if (count > most) refused.push(now);
      if (count < most) return received(200);
      return received(count > most ? 429 : 200, ...headers(left));
    },
  };
}

const inSeconds = (ms: number): string => String(Math.ceil(ms / 1000));

const limits: (readonly [what: string, ...Parameters<typeof windowed>])[] = [
  ['Retry-After', 60, 60_000, (ms) => [['Retry-After', inSeconds(ms)]]],
  ['nothing', 5, 1000, () => []],
  ['nothing', 40, 60_000, () => []],
  [
    'RateLimit of draft 7',
    10,
    60_000,
    (ms) => [['RateLimit', `limit=10, remaining=0, reset=${inSeconds(ms)}`]],
  ],
  ['RateLimit of draft 8', 10, 60_000, (ms) => [['RateLimit', `"ten";r=0;t=${inSeconds(ms)}`]]],
  [
    'X-RateLimit-Reset as an instant',
    10,
    60_000,
    (ms) => [
      ['Date', new Date(start).toUTCString()],
      ['X-RateLimit-Remaining', '0'],
      ['X-RateLimit-Reset', inSeconds(start + ms)],
    ],
  ],
];

for (const [what, most, windowMs, headers] of limits)
  test(`${most} requests in ${windowMs / 1000} s are learnt from ${what}: few more 429s come, and no time is lost`, async () => {
    const provider = windowed(most, windowMs, headers);
    const { pace, clock, elapse } = paced({ maxRetryAfterMs: 300_000, concurrency: 12 });
    const count = most * 20;
    const send = () => pace.run('GET /x', async () => provider.answer(clock()));
    const all = Promise.all(Array.from({ length: count }, send));
    await elapse();
    for (const { status } of await all) expect(status).toBe(200);
    // Twenty windows, and a little more.
    expect(clock() - start).toBeLessThan(windowMs * 20 * (what === 'nothing' ? 2 : 1.2));
    expect(provider.refused.length).toBeLessThan(count / (what === 'nothing' ? 6 : 8) + 12);
  });

test('the token endpoint has a pace of its own, and other requests do not wait for it', async () => {
  const waits: string[] = [];
  const onWait: PaceOptions['onWait'] = ({ isForToken, ms }) => waits.push(`${isForToken} ${ms}`);
  const { pace, clock, elapse } = paced({ tokensPerSecond: 0.1, onWait });
  const at = (where: string) =>
    pace.run(where, async () => ({ ...received(200), at: clock() - start }));
  const token = () => at('POST /public-api/v1/auth/token');
  const all = Promise.all([token(), token(), token(), at('GET /x'), at('GET /x')]);
  await elapse();
  expect((await all).map((sent) => sent.at)).toEqual([0, 10_000, 20_000, 0, 0]);
  expect(waits).toEqual(['true 10000', 'true 20000']);
  expect(pace.limitsTokens()).toBe(true);
});

test('a limit on all requests that shows first at the token endpoint is not taken for its own', async () => {
  const provider = windowed(10, 60_000, (ms) => [['Retry-After', inSeconds(ms)]]);
  const { pace, clock, elapse } = paced({ maxRetryAfterMs: 300_000 });
  const send = (_: unknown, index: number) =>
    pace.run(index % 2 === 0 ? 'POST /public-api/v1/auth/token' : 'GET /x', async () =>
      provider.answer(clock()),
    );
  const all = Promise.all(Array.from({ length: 40 }, send));
  await elapse();
  await all;
  expect(pace.limitsTokens()).toBe(false);
});
