import { hours, lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** The credentials outlive every token: a caller goes on for years with them. */
export const aNewTokenFollowsTheExpiredOne: Probe = {
  name: 'a-new-token-follows-the-expired-one',
  clauses: ['EXPIRY-6'],
  needs: 'clock',
  withoutToken: 'EXPIRY-6',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    judge.admitted(await service.call(endpoint, bearer(token)), 'BEARER-1');
    for (const late of [0, hours(1), hours(48)]) {
      await clock.until(token.madeAt + lifetime + late);
      const next = await service.issue(account);
      const answer = await service.call(endpoint, bearer(next));
      judge.admitted(answer, 'EXPIRY-6', 'it was made after an older token had expired');
    }
  },
};
