import { clauseOfUse } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime, seconds } from '../contract/time/clock.ts';

/** A session that each use extends never expires for a busy client. */
export const steadyUseMovesNothing: Probe = {
  name: 'steady-use-moves-nothing',
  clauses: ['EXPIRY-3'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    await clock.pass(early);
    const token = await service.issue(account);
    const twin = await service.issue(account);
    let control = await service.call(endpoint, bearer(token));
    for (let used = 1; used <= 24; used++) {
      await clock.until(token.madeAt + hours(used) - early);
      control = await service.call(endpoint, bearer(token));
      judge.admitted(control, 'EXPIRY-1', 'it is used every hour');
    }
    await clock.until(token.madeAt + lifetime);
    const answer = await service.call(endpoint, bearer(token));
    const clause = await clauseOfUse(world, answer, token, twin);
    const reason = 'it was used every hour, and a second before its end';
    judge.refused(answer, clause, { control, reason });
  },
};

/** Each use comes a second before the end of an hour, so that it is in that hour alone. */
const early = seconds(1);
