import { hours, lifetime, minutes, seconds } from '../contract/durations.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { daily, type Probe } from '../contract/probe.ts';
import {
  answersVary,
  issueToken,
  neverExpired,
  noNewToken,
  untilAge,
} from '../contract/time/token-age.ts';

/** Several processes of one caller share its credentials: each of them requests its own tokens. */
export const anotherTokenLeavesTheFirstAlive: Probe = {
  name: 'another-token-leaves-the-first-alive',
  clauses: ['EXPIRY-4'],
  scope: 'service',
  stage: 'first',
  everySeconds: daily,
  async run({ service, account, contract }) {
    const first = await service.issue(account);
    // If a token's own use ends it, these two uses show that before there is another token.
    for (const reason of ['the token is valid', 'it is its second use']) {
      const used = await contract.admits(bearer(first), 'BEARER-1', reason);
      if (used.status === 401) return;
    }
    let newest = first;
    for (let made = 0; made < newer; made++) newest = await service.issue(account);
    await contract.admits(bearer(first), 'EXPIRY-4', 'other tokens were made after it');
    await contract.admits(bearer(newest), 'BEARER-1', 'it is the newest token');
  },
};

/** Each new token may come from another server, and one of several may invalidate the tokens of the others. */
const newer = 4;

/** No use starts the 24 hours anew, and no verdict that is cached by token or by connection outlives the token. */
export const useMovesNothing: Probe = {
  name: 'use-moves-nothing',
  clauses: ['EXPIRY-3'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, contract, clock } = world;
    await clock.pass(early);
    const twin = await issueToken(world);
    const tokens = await Promise.all(
      usedBefore.map(async ([what, before]) => ({ what, before, token: await issueToken(world) })),
    );
    const uses = tokens
      .flatMap((used) => used.before.map((before) => ({ ...used, before })))
      .sort((a, b) => b.before - a.before);
    await service.connection(async (via) => {
      const controls = new Map<string, Answer>();
      for (const { what, before, token } of uses) {
        await untilAge(clock, token, lifetime - before);
        const reason = 'its 24 hours have not elapsed';
        controls.set(what, await contract.admits({ ...bearer(token), via }, 'EXPIRY-1', reason));
      }
      let hasExpired = false;
      for (const { what, token } of tokens) {
        await untilAge(clock, token, lifetime);
        const control = controls.get(what);
        if (control === undefined) continue;
        // If the unused twin is still valid too, use is not the cause. The same text was used as well.
        const clause = async () =>
          token.secret.equals(twin.secret) || (await answersVary(world, twin, true))
            ? 'EXPIRY-2'
            : 'EXPIRY-3';
        const { status } = await contract.refuses(bearer(token), clause, { control, reason: what });
        hasExpired ||= status === 401;
        const reason = `${what}, on the same connection`;
        await contract.refuses({ ...bearer(token), via }, clause, { control, reason });
      }
      if (!hasExpired) contract.unproven(neverExpired);
    });
  },
};

/** The tokens are issued so late that many of their uses are at whole hours, when other probes send requests too. */
const early = seconds(3);

/** How long before its end each token is used (milliseconds). The times between uses suit caches of any usual age. */
const usedBefore: readonly (readonly [what: string, before: readonly number[]])[] = [
  [
    'it was used every two hours',
    [23, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0].map((left) => hours(left) + early),
  ],
  ['it was first used in its last hours', [hours(1) + early]],
  ['it was used often in its last hours', [hours(6) + early, minutes(50), minutes(4), seconds(30)]],
  ['it was used in its last millisecond', [1]],
];

/** Clients usually renew a token just before it expires: so another is made in its last millisecond. */
export const everyTokenHasItsOwnEnd: Probe = {
  name: 'every-token-has-its-own-end',
  clauses: ['EXPIRY-4'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { contract, clock } = world;
    const first = await issueToken(world);
    await clock.pass(hours(12));
    const second = await issueToken(world);
    await untilAge(clock, first, lifetime - 1);
    const newest = await issueToken(world);
    const made = [first, second, newest].filter(({ issuedBefore }) => issuedBefore !== true);
    if (made.length < 3) contract.unproven(noNewToken);
    if (made.length < 2) return;
    const reason = 'other tokens were made before and after it';
    const useNewest = async (clause: 'TOKEN-4' | 'EXPIRY-4', when: string): Promise<void> => {
      if (made.includes(newest)) await contract.admits(bearer(newest), clause, when);
    };
    await useNewest('TOKEN-4', 'the token was made a moment ago');
    for (const token of made.filter((each) => each !== newest)) {
      await untilAge(clock, token, lifetime - 1);
      const control = await contract.admits(bearer(token), 'EXPIRY-4', reason);
      await untilAge(clock, token, lifetime);
      await contract.refuses(bearer(token), 'EXPIRY-4', { control, reason });
      await useNewest('EXPIRY-4', 'an older token has just expired');
    }
  },
};
