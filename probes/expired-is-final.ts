import { beforeRevivals, revivals } from '../contract/attacks/revival.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { reachAge } from '../contract/time/age.ts';
import { lifetime } from '../contract/time/clock.ts';

/**
 * Stores that clean up late, counters that wrap and days counted without their month make expired tokens valid again.
 */
export const expiredIsFinal: Probe = {
  name: 'expired-is-final',
  clauses: ['EXPIRY-5'],
  scope: 'deep',
  stage: 'years',
  async run({ service, account, endpoint, judge, clock }) {
    await clock.until(beforeRevivals(clock.now()));
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    let ended = false;
    for (const { ageMs, what } of [
      { ageMs: lifetime, what: 'its end' },
      ...revivals(token.madeAt),
    ]) {
      if (!(await reachAge(clock, token, ageMs))) continue;
      const answer = await service.call(endpoint, bearer(token));
      const reason = ended
        ? `it was refused as expired before (${what})`
        : 'its 24 hours have elapsed';
      judge.refused(answer, ended ? 'EXPIRY-5' : 'EXPIRY-2', { control, reason });
      ended ||= answer.status === 401;
    }
  },
};
