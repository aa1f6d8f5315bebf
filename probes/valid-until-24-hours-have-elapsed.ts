import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime, seconds } from '../contract/time/clock.ts';

/** All callers plan their renewals by this. */
export const validUntil24HoursHaveElapsed: Probe = {
  name: 'valid-until-24-hours-have-elapsed',
  clauses: ['EXPIRY-1'],
  scope: 'deep',
  stage: 'simulated',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    const ages = [0, seconds(1), hours(1), hours(12), lifetime - seconds(1), lifetime - 1];
    for (const age of ages) {
      await clock.until(token.madeAt + age);
      const answer = await service.call(endpoint, bearer(token));
      judge.admitted(answer, 'EXPIRY-1', 'its 24 hours have not elapsed');
    }
  },
};
