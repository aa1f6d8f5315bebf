import { expect, test } from '@playwright/test';
import type { Service } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import { IssuedTokens } from '../../contract/round/issued-tokens.ts';
import { newTokensOf, TokenReusedError } from '../../contract/round/new-tokens.ts';
import { turnsOf } from '../../contract/round/turns.ts';
import { Secret, type Token } from '../../contract/secrets/secret.ts';
import { type Clock, days, hours, lifetime } from '../../contract/time/clock.ts';
import { Timeline } from '../../contract/time/timeline.ts';
import { account, serviceAnswering } from '../client/simulated-service.ts';
import { answer } from '../judge/answers.ts';
import { fakeClock } from './fake-clock.ts';

const start = Date.UTC(2026, 2, 1);

const probe = (name: string, anyAge?: true): Probe => ({
  name,
  clauses: ['EXPIRY-2'],
  scope: 'core',
  stage: 'simulated',
  run: async () => {},
  ...(anyAge ? { anyAge } : {}),
});
const one = probe('one');
const other = probe('other');
const any = probe('any', true);
const runs = [one, one, other, any].map((due) => ({ probe: due }));

/** The probes of each turn, with a `+` if all earlier tokens have expired before the turn. */
const order = (alone: boolean, again: boolean): string[] =>
  turnsOf(runs, { alone, again }).map(
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

test("a token's age counts from its first sight", () => {
  const given = new IssuedTokens();
  expect(given.note('a', 5_000)).toEqual({ madeAt: 5_000 });
  expect(given.repeated).toBe(false);
  expect(given.note('a', 5_999)).toEqual({ madeAt: 5_000 });
  expect(given.note('a', 6_000)).toEqual({ madeAt: 5_000, issuedBefore: true });
  expect(given.note('b', 6_000)).toEqual({ madeAt: 6_000 });
  expect([given.repeated, given.size]).toEqual([true, 2]);
});

test('a token that was first seen before simulated time has that age', () => {
  const given = new IssuedTokens();
  given.note('a', start + days(300));
  given.redate(start);
  expect(given.note('a', start + hours(1))).toEqual({ madeAt: start, issuedBefore: true });
});

/** Runs a life with a service that issues this token at each instant. */
async function live(
  token: (now: number) => Token,
  life: (service: Service, clock: Clock) => Promise<void>,
): Promise<void> {
  const client: Service = {
    ...serviceAnswering(async () => answer(200)),
    issue: async () => token(time.now()),
    connection: (use) => use(client),
  };
  const time = new Timeline(fakeClock(start));
  await time.run([
    (own) => {
      const { service, clock } = newTokensOf(client, own);
      return life(service, clock);
    },
  ]);
}

const secret = new Secret('static');
const first = start + 11_000;
const oneForEver = (now: number): Token =>
  now > first ? { secret, madeAt: first, issuedBefore: true } : { secret, madeAt: first };

test('a token whose 24 hours have elapsed ends a probe', async () => {
  const life = live(oneForEver, async (service, clock) => {
    await service.issue(account);
    await clock.until(first + lifetime - 1);
    await service.issue(account);
    await service.connection((kept) => kept.issue(account));
    await clock.pass(1);
    await service.connection((kept) => kept.issue(account));
  });
  await expect(life).rejects.toThrow(TokenReusedError);
  await expect(life).rejects.toThrow('24 hours had elapsed since it was first given');
});

test('an instant that passed before a token was reissued ends a probe', async () => {
  const life = live(oneForEver, async (service, clock) => {
    await clock.pass(hours(2));
    await clock.together([
      async (own) => {
        const token = await service.issue(account);
        await own.until(token.madeAt + hours(1));
      },
    ]);
  });
  await expect(life).rejects.toThrow(TokenReusedError);
  await expect(life).rejects.toThrow('gave an older token again');
});

test('an instant that has passed is a defect of the probe where every token is new', async () => {
  const life = live(
    (now) => ({ secret, madeAt: now }),
    async (service, clock) => {
      const { madeAt } = await service.issue(account);
      await clock.until(madeAt - 1);
    },
  );
  await expect(life).rejects.toThrow('has gone by');
});
