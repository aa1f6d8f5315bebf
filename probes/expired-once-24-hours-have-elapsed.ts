import { hours, lifetime, minutes, seconds } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** Both sides of the edge, a millisecond apart, and every leeway that verifiers are customarily given. */
export const expiredOnce24HoursHaveElapsed: Probe = {
  name: 'expired-once-24-hours-have-elapsed',
  clauses: ['EXPIRY-2'],
  needs: 'clock',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    await clock.until(token.madeAt + lifetime - 1);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'EXPIRY-1');
    for (const late of [0, 1, seconds(1), seconds(30), minutes(1), minutes(5), hours(1)]) {
      await clock.until(token.madeAt + lifetime + late);
      const answer = await service.call(endpoint, bearer(token));
      judge.refused(answer, 'EXPIRY-2', { unlike, because: 'its 24 hours have elapsed' });
    }
  },
};
