import type { Probe } from '../contract/probe.ts';
import { hardDays, laterHardDates } from '../contract/time/calendar.ts';
import { checkHardDays } from '../contract/time/date-walk.ts';

/** Separate from the dates of this year: accounts and keys may end before these (OPEN-10). */
export const on24HoursInLaterYears: Probe = {
  name: '24-hours-in-later-years',
  clauses: ['EXPIRY-7'],
  scope: 'service',
  stage: 'years',
  run: (world) => checkHardDays(world, (now) => hardDays(laterHardDates(now), now)),
};
