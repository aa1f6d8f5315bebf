import { hardDays, ordinaryDay } from '../contract/calendar.ts';
import type { MustId } from '../contract/clauses.ts';
import { type Clock, lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/**
 * One token over each date on which days are not 24 hours long, or counting them goes wrong: changes of daylight
 * saving time, ends of months and years, leap days, and the end of 32-bit seconds. An end that is wrong on any date
 * is told apart by an ordinary day, which goes before.
 */
export const on24HoursOnEveryDate: Probe = {
  name: '24-hours-on-every-date',
  clauses: ['EXPIRY-7'],
  needs: 'clock',
  span: 'weeks',
  once: true,
  async run({ service, account, endpoint, judge, clock }) {
    const live = async (own: Clock, over: string, early: MustId, late: MustId) => {
      const because = `its 24 hours go over ${over}`;
      let token = await service.issue(account);
      if (token.givenBefore === true) {
        // The one in hand ends first: its own 24 hours may not go over the date.
        await own.until(token.madeAt + lifetime);
        token = await service.issue(account);
      }
      await own.until(token.madeAt + lifetime - 1);
      const unlike = await service.call(endpoint, bearer(token));
      judge.admitted(unlike, early, because);
      await own.until(token.madeAt + lifetime);
      const answer = await service.call(endpoint, bearer(token));
      judge.refused(answer, late, { unlike, because });
      return { lasted: unlike.status !== 401, ended: answer.status === 401 };
    };
    await clock.until(ordinaryDay(clock.now()));
    const ordinary = await live(clock, 'an ordinary day', 'EXPIRY-1', 'EXPIRY-2');
    const early = ordinary.lasted ? 'EXPIRY-7' : 'EXPIRY-1';
    const late = ordinary.ended ? 'EXPIRY-7' : 'EXPIRY-2';
    await clock.together(
      hardDays(clock.now()).map(({ noon, what }) => async (own: Clock) => {
        await own.until(noon);
        await live(own, what, early, late);
      }),
    );
  },
};
