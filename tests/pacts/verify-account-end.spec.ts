import { expect, test } from '@playwright/test';
import { days } from '../../contract/time/clock.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
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
  const ended = (after: number): string =>
    `unverified, no token was issued ${after} days later, when the account may have ended (OPEN-10)`;
  expect(endings(run)).toEqual([
    'a token of six days: verified',
    `a token of a day: ${ended(10)}`,
    `a call: ${ended(10)}`,
    `no token: ${ended(10)}`,
    `credentials: ${ended(10)}`,
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
