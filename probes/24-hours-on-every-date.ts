import { hardDates } from '../contract/calendar.ts';
import { hours, lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/**
 * One token over each date on which days are not 24 hours long, or counting them goes wrong: changes of daylight
 * saving time, ends of months and years, leap days, and the end of 32-bit seconds.
 */
export const on24HoursOnEveryDate: Probe = {
  name: '24-hours-on-every-date',
  clauses: ['EXPIRY-7'],
  needs: 'clock',
  once: true,
  async run({ service, account, endpoint, judge, clock }) {
    for (const { instant, what } of hardDates(clock.now())) {
      await clock.until(instant - hours(12));
      const token = await service.issue(account);
      await clock.until(token.madeAt + lifetime - 1);
      const unlike = await service.call(endpoint, bearer(token));
      judge.admitted(unlike, 'EXPIRY-7', `its 24 hours go over ${what}`);
      await clock.until(token.madeAt + lifetime);
      const answer = await service.call(endpoint, bearer(token));
      judge.refused(answer, 'EXPIRY-7', { unlike, because: `its 24 hours go over ${what}` });
    }
  },
};
