import { hardDates } from '../contract/calendar.ts';
import { type Clock, hours, lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/**
 * One token over each date on which days are not 24 hours long, or counting them goes wrong: changes of daylight
 * saving time, ends of months and years, leap days, and the end of 32-bit seconds. Lives overlap where dates are near.
 */
export const on24HoursOnEveryDate: Probe = {
  name: '24-hours-on-every-date',
  clauses: ['EXPIRY-7'],
  needs: 'clock',
  once: true,
  async run({ service, account, endpoint, judge, clock }) {
    await clock.together(
      hardDates(clock.now()).map(({ instant, what }) => async (own: Clock) => {
        const because = `its 24 hours go over ${what}`;
        await own.until(instant - hours(12));
        const token = await service.issue(account);
        await own.until(token.madeAt + lifetime - 1);
        const unlike = await service.call(endpoint, bearer(token));
        judge.admitted(unlike, 'EXPIRY-7', because);
        await own.until(token.madeAt + lifetime);
        const answer = await service.call(endpoint, bearer(token));
        judge.refused(answer, 'EXPIRY-7', { unlike, because });
      }),
    );
  },
};
