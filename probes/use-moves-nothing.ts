import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime, minutes, seconds } from '../contract/time/clock.ts';
import { answersVary, issueToken, neverExpired, untilAge } from '../contract/time/token-age.ts';

/**
 * Neither the first use nor the last one starts the 24 hours anew, and no verdict that is cached by token or by
 * connection outlives the token.
 */
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
      .sort((one, other) => other.before - one.before);
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
