import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime, minutes, seconds } from '../contract/time/clock.ts';

/**
 * The exact end, and every leeway that verifiers usually grant. Each check has a token that was never used before,
 * because effects of a use belong to EXPIRY-3.
 */
export const expiredOnce24HoursHaveElapsed: Probe = {
  name: 'expired-once-24-hours-have-elapsed',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'simulated',
  async run({ service, account, endpoint, judge, clock }) {
    const used = await service.issue(account);
    const control = await service.call(endpoint, bearer(used));
    judge.admitted(control, 'BEARER-1');
    // These tokens need another second: two JWTs of the same second are one text, which another probe may use.
    await clock.pass(seconds(2));
    const unused = await Promise.all(lateness.map(() => service.issue(account)));
    for (const [index, token] of unused.entries()) {
      await clock.until(token.madeAt + lifetime + (lateness[index] ?? 0));
      const neverUsed = token.secret.equals(used.secret) ? '' : ', and it was never used';
      const reason = `its 24 hours have elapsed${neverUsed}`;
      judge.refused(await service.call(endpoint, bearer(token)), 'EXPIRY-2', { control, reason });
    }
  },
};

/**
 * The exact end is checked three times: if two servers share an address, only one of them may be late. At the last
 * instant, which other probes use too, tokens that were issued two seconds earlier are one hour late.
 */
const lateness = [
  ...[0, 0, 0, 1, seconds(1), seconds(30), minutes(1), minutes(5)],
  hours(1) - seconds(2),
];
