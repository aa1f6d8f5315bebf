import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { ClockError, type SettableClock } from '../../contract/time/clock.ts';
import { type Call, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { jsonBody } from './made-up.ts';
import {
  aged,
  callWithToken,
  endings,
  endingsOf,
  forToken,
  interaction,
  ownPact,
  pactOf,
  pending,
  verifying,
  withoutClock,
  withToken,
} from './verifying.ts';

const impatient = (target: Target): Target => ({
  ...withoutClock(target),
  connection: { ...target.connection, timeoutMs: 100 },
});

test('the run ends with one line where the provider never answers, and no clause is violated', async () => {
  const provider = { arrived: () => 60_000 };
  const run = await verifying(ownPact, { provider, aim: impatient });
  const unjudged = 'POST /public-api/v1/auth/token: no complete answer in time (100 ms)';
  expect([run.exit, run.unjudged, run.defect]).toEqual([2, unjudged, undefined]);
  expect(endings(run)).toHaveLength(ownPact.pact.interactions.length);
  for (const ending of endings(run)) expect(ending).toContain(`: unverified, ${unjudged}`);
});

test('a provider that disappears halfway keeps the earlier findings, and gets no more requests', async () => {
  const pact = pactOf(
    callWithToken('before'),
    callWithToken('wrong', ['a valid token'], { status: 204 }),
    callWithToken('after'),
    callWithToken('later'),
  );
  let calls = 0;
  const run = await verifying([pact, pactOf(callWithToken('last'))], {
    provider: {
      authorised: (...of) => {
        calls += 1;
        return right.authorised(...of);
      },
      finish: (reply) => (calls >= 5 ? { status: 503 } : reply),
    },
  });
  const gone = `GET /public-api/v1/widgets: the provider says that it is unavailable (status 503)`;
  expect(endings(run)).toEqual([
    ...['before: verified', 'wrong: failed'],
    ...['after', 'later', 'last'].map((one) => `${one}: unverified, ${gone}`),
  ]);
  expect([run.exit, run.unjudged]).toEqual([1, gone]);
});

test('an interaction that gets no answer is unverified alone, and fails the run unless it is pending', async () => {
  const later = { ...withToken, path: '/public-api/v1/widgets/later' };
  const crash = interaction('crash', ['a valid token'], { request: later });
  const arrived = ({ path }: Call) => (path.endsWith('/later') ? 60_000 : 0);
  const provider = { arrived };
  const gone = 'GET /public-api/v1/widgets/later: no complete answer in time (100 ms)';
  const verifyPact = (one: object) =>
    verifying([pactOf(one, callWithToken('after')), pactOf(callWithToken('last'))], {
      provider,
      aim: impatient,
    });
  const run = await verifyPact(crash);
  expect(endings(run)).toEqual([`crash: unverified, ${gone}`, 'after: verified', 'last: verified']);
  expect([run.exit, run.unjudged]).toEqual([2, undefined]);
  const { exit, unjudged } = await verifyPact({ ...crash, pending: true });
  expect([exit, unjudged]).toEqual([0, undefined]);
  const brokerPending = [pending(pactOf(crash)), pactOf(callWithToken('last'))];
  expect((await verifying(brokerPending, { provider, aim: impatient })).exit).toBe(0);
});

test('an answer of five megabytes is judged like any other, and shown in short', async () => {
  const text = 'x'.repeat(5 * 2 ** 20);
  const parts = { request: forToken, response: { body: jsonBody({ success: true }) } };
  const granted: typeof right.granted = (token, ...of) => ({
    ...right.granted(token, ...of),
    json: { success: text, data: { accessToken: token.text } },
  });
  const pact = pactOf(interaction('a token', ['an account'], parts));
  const run = await verifying(pact, { provider: { granted } });
  expect([run.exit, ...endings(run)]).toEqual([1, 'a token: failed']);
  const [mismatch] = run.pacts[0]?.interactions[0]?.mismatches ?? [];
  expect(mismatch?.received).toMatch(/^.?x{500,}…$/);
  expect(JSON.stringify(run.pacts[0]?.interactions[0]?.mismatches).length).toBeLessThan(3_000);
});

test('an answer above the size limit leaves its interaction unverified, and fails the run', async () => {
  const run = await verifying(pactOf(callWithToken()), {
    aim: (target) => ({ ...target, connection: { ...target.connection, maxBodyBytes: 10_000 } }),
    provider: { authorised: () => ({ status: 200, body: 'x'.repeat(10_001) }) },
  });
  expect(run.exit).toBe(2);
  expect(endings(run)).toEqual([
    'a call: unverified, GET /public-api/v1/widgets: the answer is too large (over 10000 bytes)',
  ]);
});

for (const [accepted, status] of [
  [[200, 503], 503],
  ['serverError', 504],
  [[404, 429], 429],
] as const)
  test(`the status ${status} is right if the pact accepts ${accepted}`, async () => {
    const rule = { match: 'statusCode', status: accepted };
    const response = { status: 500, matchingRules: { status: { $: { matchers: [rule] } } } };
    let calls = 0;
    const finish: typeof right.finish = (reply, { method }) =>
      method === 'GET' && ++calls === 2 ? { status } : reply;
    const pact = pactOf(callWithToken('a call', ['a valid token'], response));
    const aim = (target: Target) => ({ ...target, maxRetryAfterMs: 0 });
    expect(await endingsOf(pact, { aim, provider: { finish } })).toEqual(['a call: verified']);
  });

test('an answer 429 is waited out, and does not count as an answer', async () => {
  let replies = 0;
  const run = await verifying(ownPact, {
    provider: {
      finish: (reply) =>
        ++replies === 20 ? { status: 429, headers: { 'Retry-After': '0' } } : reply,
    },
  });
  expect([run.exit, replies > 20]).toEqual([0, true]);
  const closed = await verifying(ownPact, {
    aim: (target) => ({ ...target, maxRetryAfterMs: 0 }),
    provider: { finish: () => ({ status: 429 }) },
  });
  expect(closed.unjudged).toContain('answers 429, and asks for a longer pause than is waited');
});

const old = pactOf(callWithToken('an old token', [aged(24)], { status: 401 }));

/** Replaces parts of the target's clock. */
const clocked =
  (change: (clock: SettableClock) => Partial<SettableClock>) =>
  (target: Target): Target => {
    const { clock } = target;
    if (clock === undefined) throw new Error('the target has no clock');
    return { ...target, clock: { ...clock, ...change(clock) } };
  };

test('a clock that cannot be set or released makes a run fail, and is released once', async () => {
  let released = 0;
  const release = async () => void released++;
  const stuck = () => Promise.reject(new ClockError('the clock is stuck'));
  const unset = await verifying(old, { aim: clocked(() => ({ set: stuck, release })) });
  expect([unset.exit, unset.unjudged, released]).toEqual([2, 'the clock is stuck', 1]);
  expect(endings(unset)).toEqual(['an old token: unverified, the clock is stuck']);
  const kept = await verifying(old, { aim: clocked(() => ({ release: stuck })) });
  expect(endings(kept)).toEqual(['an old token: verified']);
  expect([kept.exit, kept.unjudged]).toEqual([2, 'the clock is stuck']);
});

test('a clock file that the provider ignores violates no clause, and costs only what needs it', async () => {
  let now = Date.now();
  const idle: Partial<SettableClock> = {
    name: 'clock file',
    movesProcess: true,
    read: async () => now,
    set: async (instant) => {
      now = instant;
    },
    release: async () => {},
  };
  const jwt = faulty('jwt');
  const run = await verifying([old, pactOf(callWithToken())], {
    aim: clocked(() => idle),
    provider: {
      ...jwt,
      mint: (state) => jwt.mint(state, Date.now()),
      expired: (token, _now, ...of) => jwt.expired(token, Date.now(), ...of),
    },
  });
  expect(run.exit).toBe(2);
  expect(endings(run)).toEqual([
    expect.stringContaining('its process does not read this file'),
    'a call: verified',
  ]);
});
