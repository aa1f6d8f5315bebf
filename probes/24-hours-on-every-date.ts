import type { Probe } from '../contract/probe.ts';
import { hardDates, hardDays } from '../contract/time/calendar.ts';
import { checkHardDays } from '../contract/time/date-walk.ts';

/** Daylight saving time changes, months and years end, and counters wrap: all of it happens within a year. */
export const on24HoursOnEveryDate: Probe = {
  name: '24-hours-on-every-date',
  clauses: ['EXPIRY-7'],
  scope: 'service',
  stage: 'years',
  run: (world) => checkHardDays(world, (now) => hardDays(hardDates(now), now)),
};
