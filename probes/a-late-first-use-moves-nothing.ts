import { clauseOfUse } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime } from '../contract/time/clock.ts';

/** The 24 hours start at generation, not at the first use. */
export const aLateFirstUseMovesNothing: Probe = {
  name: 'a-late-first-use-moves-nothing',
  clauses: ['EXPIRY-3'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    const token = await service.issue(account);
    const twin = await service.issue(account);
    await clock.until(token.madeAt + hours(23));
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'EXPIRY-1', 'it is its first use');
    await clock.until(token.madeAt + lifetime);
    const answer = await service.call(endpoint, bearer(token));
    const clause = await clauseOfUse(world, answer, token, twin);
    judge.refused(answer, clause, { control, reason: 'it was first used in its last hour' });
  },
};
