import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { hours, lifetime } from '../contract/time/clock.ts';
import { clauseOfEnd, issueToken, noNewToken, untilAge } from '../contract/time/token-age.ts';

/**
 * Made half a day apart, they end half a day apart. Clients usually renew a token just before it expires: so another
 * token is made in the last millisecond of the first one.
 */
export const everyTokenHasItsOwnEnd: Probe = {
  name: 'every-token-has-its-own-end',
  clauses: ['EXPIRY-4'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { contract, clock } = world;
    const start = clock.now();
    const tokens: Token[] = [];
    for (const offset of [0, hours(12)]) {
      await clock.until(start + offset);
      const token = await issueToken(world);
      if (token.issuedBefore !== true) tokens.push(token);
    }
    const [first, ...others] = tokens;
    if (first === undefined) return contract.unproven(noNewToken);
    await untilAge(clock, first, lifetime - 1);
    const newest = await issueToken(world);
    const isNew = newest.issuedBefore !== true;
    if (!isNew || others.length === 0) contract.unproven(noNewToken);
    if (!isNew && others.length === 0) return;
    const reason = 'other tokens were made before and after it';
    const useNewest = async (clause: 'TOKEN-4' | 'EXPIRY-4', when: string): Promise<void> => {
      if (isNew) await contract.admits(bearer(newest), clause, when);
    };
    await useNewest('TOKEN-4', 'the token was made a moment ago');
    for (const token of tokens) {
      await untilAge(clock, token, lifetime - 1);
      const clause = () => clauseOfEnd(world, token, 'EXPIRY-4', 'EXPIRY-1');
      const control = await contract.admits(bearer(token), clause, reason);
      await untilAge(clock, token, lifetime);
      await contract.refuses(bearer(token), 'EXPIRY-4', { control, reason });
      await useNewest('EXPIRY-4', 'an older token has just expired');
    }
  },
};
