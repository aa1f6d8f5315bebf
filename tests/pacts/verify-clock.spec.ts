import { expect, test } from '@playwright/test';
import { days, type SettableClock } from '../../contract/time/clock.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { teamHandler } from './team-handler.ts';
import {
  aged,
  callWithToken,
  endings,
  endingsOf,
  forToken,
  interaction,
  pactOf,
  verifying,
} from './verifying.ts';

for (const [what, state, message] of [
  ['while real time passes', 'a valid token', 'and not by this run'],
  ['while its time stands', aged(23), 'but it must stay where it is set'],
] as const)
  test(`a clock that another run moves ${what} is unjudged, and no failure`, async () => {
    let clock: SettableClock | undefined;
    await using handler = await teamHandler(async ({ action }) => {
      if (action === 'setup') await clock?.set((await clock.read()) + days(2));
      return {};
    });
    const run = await verifying(pactOf(callWithToken('a call', [state, 'another run'])), {
      statesUrl: handler.url,
      aim: (target) => {
        clock = target.clock;
        return target;
      },
    });
    expect(run.exit).toBe(2);
    expect(run.unjudged).toContain(message);
    expect(run.pacts[0]?.interactions.map(({ ending }) => ending)).toEqual(['unverified']);
  });

test('the age of a token may be any part of an hour', async () => {
  const calls = [
    callWithToken('just before the end', [aged(23.9999999)]),
    callWithToken('a second before the end', [aged(23.99972)]),
    callWithToken('just after the end', [aged(24.0000001)], { status: 401 }),
  ];
  const run = await verifying(pactOf(...calls));
  expect([run.exit, run.unjudged]).toEqual([0, undefined]);
});

/** An account whose subscription ends this long after its first token (OPEN-10). */
const endingAfter = (ms: number): Partial<Behaviour> => ({
  granted(token, call, state) {
    const [first = token] = state.tokens.values();
    return token.madeAt - first.madeAt > ms
      ? right.denied('wrong', call, state)
      : right.granted(token, call, state);
  },
});

const long = pactOf(
  callWithToken('a token of six days', [aged(6 * 24)], { status: 401 }),
  callWithToken('a token of a day', [aged(24)], { status: 401 }),
  callWithToken(),
  interaction('no token', ['a protected endpoint'], { response: { status: 401 } }),
  interaction('credentials', ['an account'], { request: forToken }),
);

test('an account that ends after a week of simulated time violates nothing', async () => {
  const run = await verifying(long, { provider: endingAfter(days(9)) });
  const ended =
    'unverified, no token was issued 10 days later, when the account may have ended (OPEN-10)';
  expect(endings(run)).toEqual([
    'a token of six days: verified',
    ...['a token of a day', 'a call', 'no token', 'credentials'].map((one) => `${one}: ${ended}`),
  ]);
  expect(run.exit).toBe(0);
});

test('an account without a token within a week of simulated time fails', async () => {
  const run = await verifying(long, { provider: endingAfter(days(1)) });
  expect(endings(run)).toContainEqual(expect.stringMatching(/^a token of six days: failed/));
  expect(run.exit).toBe(1);
});

test('a refused token request fails after a week too, if the account still gets tokens', async () => {
  const wrong = pactOf(
    callWithToken('old', [aged(6 * 24)], { status: 401 }),
    interaction('incomplete', ['an account'], {
      request: { ...forToken, headers: { 'Content-Type': ['text/plain'] }, body: undefined },
    }),
  );
  expect(await endingsOf(wrong)).toEqual(['old: verified', 'incomplete: failed']);
});
