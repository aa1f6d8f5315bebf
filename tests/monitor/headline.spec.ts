import { expect, test } from '@playwright/test';
import type { Received } from '../../contract/http/answer.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { probes } from '../../probes/index.ts';
import { quiet, watching } from './in-memory.ts';

const minute = 60_000;
const hour = 60 * minute;

const lost = (how: 'reset' | 'protocol') => (): never => {
  throw new Unreachable(how, 'GET /public-api/v1/widgets');
};

/** A correct provider whose 401 answers a test can replace or lose. */
function with401(become: (answer: Received) => Received) {
  const world = quiet();
  const { exchange } = world.provider;
  let isOn = false;
  const provider = {
    ...world.provider,
    exchange: async (...args: Parameters<typeof exchange>) => {
      const answer = await exchange(...args);
      return isOn && answer.status === 401 ? become(answer) : answer;
    },
  };
  const logged: string[] = [];
  const one = watching(probes, { ...world, provider, targets: [world.target], logged });
  return {
    ...world,
    logged,
    state: () => one.status().targets[0]?.state,
    status: () => one.status().targets[0],
    turn: (on: boolean) => {
      isOn = on;
    },
  };
}

for (const [what, become] of [
  ['garbled', lost('protocol')],
  ['answered by 503', (answer: Received) => ({ ...answer, status: 503 })],
] as const)
  test(`the headline is partial and stays partial where every 401 is ${what}`, async () => {
    const { time, logged, state, status, turn } = with401(become);
    await time.pass(hour);
    expect(state()).toBe('holds');
    logged.length = 0;
    turn(true);
    await time.pass(5 * minute);
    expect(state()).toBe('partly');
    const headlines = () => logged.filter((line) => /judged|holds$/.test(line)).length;
    const before = headlines();
    expect(before).toBeLessThanOrEqual(2);
    await time.pass(5 * hour);
    expect([state(), headlines()]).toEqual(['partly', before]);
    expect(status()?.clauses.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    expect(status()?.unreachable?.detail).toBeDefined();
    turn(false);
    // Some probes run only once an hour, but the monitor repeats failed runs earlier.
    await time.pass(2 * minute);
    expect([state(), headlines()]).toEqual(['holds', before + 1]);
  });

test('requests that alone lose their connection violate ERROR-1', async () => {
  const { time, state, status, turn } = with401(lost('reset'));
  await time.pass(hour);
  turn(true);
  await time.pass(5 * minute);
  expect(state()).toBe('broken');
  const violated = status()?.clauses.filter(({ verdict }) => verdict === 'violated');
  expect(violated?.map(({ id }) => id)).toEqual(['ERROR-1']);
});

test('the headline is partial while an endpoint gives the same answer with and without a token', async () => {
  const { time, provider, watch } = quiet();
  const one = watch(probes);
  const target = () => one.status().targets[0];
  await time.pass(hour);
  expect([target()?.state, target()?.unproven]).toEqual(['holds', undefined]);
  provider.answer = (line) => (line.includes('/widgets') ? { status: 404 } : undefined);
  await time.pass(3 * minute);
  const unproven =
    'GET /public-api/v1/widgets: with and without a valid token the endpoint answers 404';
  expect(target()).toMatchObject({ state: 'partly', unproven });
  expect(target()?.unreachable).toBe(undefined);
  expect(target()?.clauses.find(({ id }) => id === 'BEARER-2')?.verdict).toBe('unverified');
  expect(one.violated()).toEqual([]);
  await time.pass(5 * hour);
  expect(target()?.state).toBe('partly');
  expect(target()?.events).toMatchObject([
    {
      what: 'partly',
      detail: expect.stringContaining('a request without a token is answered with 404'),
    },
  ]);
  provider.answer = undefined;
  await time.pass(2 * minute);
  expect([target()?.state, target()?.unproven]).toEqual(['holds', undefined]);
});

test('the first round of an endpoint that was never there ends in a partial headline', async () => {
  const { time, provider, watch } = quiet();
  provider.answer = (line) => (line.includes('/widgets') ? { status: 404 } : undefined);
  const one = watch(probes);
  const states = new Set<string | undefined>();
  for (let seconds = 0; seconds < 600; seconds += 1) {
    await time.pass(1_000);
    states.add(one.status().targets[0]?.state);
  }
  expect([...states].filter((state) => state !== 'waiting')).toEqual(['partly']);
});

test('a single-use token breaks BEARER-1, and no clause about other tokens', async () => {
  const { time, provider, watch } = quiet({ canaries: { everySeconds: 4 * 3600 } });
  const used = new Set<string>();
  provider.answer = (_asked, token = '') => {
    if (token === '') return undefined;
    if (!used.has(token)) return void used.add(token);
    const message = 'Invalid or expired access token.';
    return { status: 401, body: Buffer.from(JSON.stringify({ success: false, message })) };
  };
  const one = watch(probes);
  await time.pass(6 * hour);
  expect(one.violated()).toEqual(['BEARER-1']);
});
