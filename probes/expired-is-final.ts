import { beforeRevivals, revivals } from '../contract/attempts/revivals.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { lifetime } from '../contract/time/clock.ts';
import { issueToken, neverExpired, untilAge } from '../contract/time/token-age.ts';

/**
 * Stores that clean up late, counters that wrap and days counted without their month make expired tokens valid again.
 */
export const expiredIsFinal: Probe = {
  name: 'expired-is-final',
  clauses: ['EXPIRY-5'],
  scope: 'deep',
  stage: 'years',
  async run(world) {
    const { contract, clock } = world;
    await clock.until(beforeRevivals(clock.now()));
    const token = await issueToken(world);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    let hasExpired = false;
    for (const { ageMs, what } of [{ ageMs: lifetime, what: 'its end' }, ...revivals]) {
      await untilAge(clock, token, ageMs);
      const reason = hasExpired
        ? `it was refused as expired before (${what})`
        : 'its 24 hours have elapsed';
      const clause = hasExpired ? 'EXPIRY-5' : 'EXPIRY-2';
      const answer = await contract.refuses(bearer(token), clause, { control, reason });
      hasExpired ||= answer.status === 401;
    }
    if (!hasExpired) contract.unproven(neverExpired);
  },
};
