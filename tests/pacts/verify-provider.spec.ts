import { expect, test } from '@playwright/test';
import { days, minutes } from '../../contract/durations.ts';
import type { Target } from '../../contract/round/target.ts';
import type { SettableClock } from '../../contract/time/clock.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import {
  aged,
  callWithToken,
  expired,
  forToken,
  fromState,
  interaction,
  pactOf,
  withToken,
} from './pact-builder.ts';
import { testOutcomes, verifying, withoutClock } from './verifying.ts';

/* Providers that cannot be judged, or only in part. */

const impatient = (target: Target): Target => ({
  ...withoutClock(target),
  connection: { ...target.connection, timeoutMs: 1000 },
});

test('a provider that disappears halfway keeps the earlier findings, and gets no more requests', async () => {
  let calls = 0;
  const wrong = callWithToken('wrong', ['a valid token'], { status: 204 });
  const pact = pactOf(callWithToken(), wrong, callWithToken('after'), callWithToken('later'));
  const run = await verifying([pact, pactOf(callWithToken('last'))], {
    provider: {
      authorised: (...of) => {
        calls += 1;
        return right.authorised(...of);
      },
      finish: (reply) => (calls >= 5 ? { status: 503 } : reply),
    },
  });
  const unjudged = `GET /public-api/v1/widgets: the provider says that it is unavailable (status 503)`;
  const left = Array(3).fill(`unverified, ${unjudged}`);
  expect(run).toMatchObject({ exit: 1, unjudged, endings: ['verified', 'failed', ...left] });
});

const later = { ...withToken, path: '/public-api/v1/widgets/later' };
const crash = interaction('crash', ['a valid token'], { request: later });
const gone = 'unverified, GET /public-api/v1/widgets/later: no complete answer in time (1000 ms)';

/** An account whose subscription ends this long after its first token (OPEN-10). */
const endingAfter = (ms: number): Partial<Behaviour> => ({
  granted(token, call, state) {
    const [first = token] = state.tokens.values();
    return token.madeAt - first.madeAt > ms
      ? right.denied('wrong', call, state)
      : right.granted(token, call, state);
  },
});
const ofSixDays = callWithToken('a token of six days', [aged(6 * 24)], { status: 401 });
const noToken = interaction('no token', ['a protected endpoint'], { response: { status: 401 } });
const credentials = interaction('credentials', ['an account'], { request: forToken });

const paged = { method: 'GET', path: '/public-api/v1/widgets?page=1' };
const toPath = { generators: { ...withToken.generators, path: fromState('${path}') } };

testOutcomes({
  'an endpoint of the settings may have a query, which is sent where the pact has none': {
    endings: {
      verified: [
        interaction('x', ['a protected endpoint', 'a valid token'], {
          request: { ...withToken, ...toPath },
        }),
      ],
    },
    aim: (target) => ({ ...target, endpoints: [{ ...paged, path: later.path }, paged] }),
    provider: {
      route: (call, state) => (call.url === paged.path ? right.route(call, state) : undefined),
    },
  },
  'an interaction that gets no answer is unverified alone, and fails the run': {
    endings: { [gone]: [crash], verified: [callWithToken()] },
    provider: { arrived: ({ path }) => (path.endsWith('/later') ? 60_000 : 0) },
    aim: impatient,
    exit: 2,
  },
  'an account that ends after a week of simulated time violates nothing': {
    endings: {
      verified: [ofSixDays],
      'unverified, no token was issued 10 days later, when the account may have ended…': [
        ...[expired, callWithToken(), noToken, credentials],
      ],
    },
    provider: endingAfter(days(9)),
  },
});

/** Replaces parts of the target's clock. */
const clocked =
  (change: (clock: SettableClock) => Partial<SettableClock>) =>
  (target: Target): Target => {
    const { clock } = target;
    if (clock === undefined) throw new Error('the target has no clock');
    return { ...target, clock: { ...clock, ...change(clock) } };
  };

for (const [what, state, by, message] of [
  ['while real time passes', 'a valid token', 2, 'and not by this run'],
  ['back while real time passes', 'a valid token', -2, 'and not by this run'],
  ['while its time stands', aged(23), 2, 'but it must stay where it is set'],
] as const)
  test(`a clock that another run moves ${what} is unjudged, and no failure`, async () => {
    let clock: SettableClock | undefined;
    const run = await verifying(pactOf(callWithToken('a call', [state, 'another run'])), {
      handler: async ({ action }) => {
        if (action === 'setup') await clock?.set((await clock.read()) + minutes(by));
        return {};
      },
      aim: clocked((own) => {
        clock = own;
        return {};
      }),
    });
    const ending = expect.stringMatching(/^unverified, /);
    const unjudged = expect.stringContaining(message);
    expect(run).toMatchObject({ exit: 2, unjudged, endings: [ending] });
  });

test('a clock that is not released leaves the provider unjudged, with the findings', async () => {
  const release = () => Promise.reject(new Error('it is stuck'));
  const run = await verifying(pactOf(callWithToken('x', [aged(1)])), {
    aim: clocked(() => ({ release })),
  });
  expect(run).toMatchObject({
    exit: 2,
    endings: ['verified'],
    unjudged: expect.stringContaining('it is stuck'),
  });
});

test('a clock file that the provider ignores violates no clause, and costs only what needs it', async () => {
  let now = Date.now();
  const idle: Partial<SettableClock> = {
    ...{ name: 'clock file', movesProcess: true, release: async () => {} },
    read: async () => now,
    async set(instant) {
      now = instant;
    },
  };
  const jwt = faulty('jwt');
  const run = await verifying(pactOf(expired, callWithToken()), {
    aim: clocked(() => idle),
    provider: {
      ...jwt,
      mint: (state) => jwt.mint(state, Date.now()),
      expired: (token, _now, ...of) => jwt.expired(token, Date.now(), ...of),
    },
  });
  const ignored = expect.stringContaining('its process does not read this file');
  expect(run).toMatchObject({ exit: 2, endings: [ignored, 'verified'] });
});
