import { expect, test } from '@playwright/test';
import { hours, lifetime } from '../../contract/durations.ts';
import { UnprovenError } from '../../contract/http/unreachable.ts';
import type { Probe } from '../../contract/probe.ts';
import { presentClock } from '../../contract/round/attempt.ts';
import { planTurns } from '../../contract/round/turns.ts';
import { Secret, type Token } from '../../contract/secrets/secret.ts';
import { issueToken, untilAge } from '../../contract/time/token-age.ts';
import { account, serviceAnswering } from '../client/simulated-service.ts';
import { clientOf } from '../client/stage.ts';
import { answer } from '../judge/answers.ts';

const start = Date.UTC(2026, 2, 1);

const probe = (name: string, renews?: true): Probe => ({
  name,
  clauses: ['EXPIRY-2'],
  scope: 'core',
  stage: 'simulated',
  run: async () => {},
  ...(renews ? { renews } : {}),
});
const one = probe('one');
const other = probe('other');
const any = probe('any', true);
const runs = [one, one, other, any].map((due) => ({ probe: due }));

/** The probes of each turn, with a `+` if all earlier tokens have expired before the turn. */
const order = (alone: boolean, again: boolean): string[] =>
  planTurns(runs, { alone, again }).map(
    ({ runs: together, newTokens }) =>
      together.map(({ probe: { name } }) => name).join(' ') + (newTokens ? ' +' : ''),
  );

test('probes share time where every token is new', () => {
  expect(order(false, false)).toEqual(['one one other any +']);
});

test('probes that disturb one another run one by one', () => {
  expect(order(true, false)).toEqual(['one +', 'one', 'other', 'any']);
});

test('each probe begins with a new token where tokens are reissued', () => {
  expect(order(false, true)).toEqual(['any', 'one one +', 'other +']);
  expect(order(true, true)).toEqual(['any', 'one +', 'one +', 'other +']);
});

test("a token's age counts from its first sight", async () => {
  const issueAt = async (instant: number, accessToken: string): Promise<Token> => {
    now = instant;
    text = JSON.stringify({ data: { accessToken } });
    return client.issue(account);
  };
  let now = 0;
  let text = '';
  const exchange = async () => answer(200, text);
  const origin = new URL('http://provider');
  const client = clientOf({ origin }, { exchange, now: () => now });
  expect(await issueAt(5_000, 'a')).toMatchObject({ madeAt: 5_000, issuedBefore: false });
  expect(await issueAt(5_999, 'a')).toMatchObject({ madeAt: 5_000, issuedBefore: false });
  expect(await issueAt(6_000, 'a')).toMatchObject({ madeAt: 5_000, issuedBefore: true });
  expect(await issueAt(6_000, 'b')).toMatchObject({ madeAt: 6_000, issuedBefore: false });
});

const token: Token = { secret: new Secret('static'), madeAt: start };

/** An instant at which the token endpoint repeats the token. */
const repeatingAt = (now: number) => ({
  account,
  service: { ...serviceAnswering(async () => answer(200)), issue: async () => token },
  clock: { ...presentClock, now: () => now },
});

test('a token whose 24 hours have elapsed ends a probe', async () => {
  const issueAt = (now: number) => issueToken(repeatingAt(now));
  await expect(issueAt(start + lifetime - 1)).resolves.toBe(token);
  await expect(issueAt(start + lifetime)).rejects.toThrow(UnprovenError);
  await expect(issueAt(start + lifetime)).rejects.toThrow('24 hours had elapsed since it was');
});

test('an age that a repeated token has passed ends a probe', async () => {
  const { clock } = repeatingAt(start + hours(2));
  await expect(untilAge(clock, token, hours(1))).rejects.toThrow(UnprovenError);
});
