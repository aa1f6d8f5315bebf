import { hours, lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** The 24 hours run from generation, not from the first use. */
export const aLateFirstUseMovesNothing: Probe = {
  name: 'a-late-first-use-moves-nothing',
  clauses: ['EXPIRY-3'],
  needs: 'clock',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    await clock.until(token.madeAt + hours(23));
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'EXPIRY-1', 'it is its first use');
    await clock.until(token.madeAt + lifetime);
    const answer = await service.call(endpoint, bearer(token));
    judge.refused(answer, 'EXPIRY-3', { unlike, because: 'it was first used in its last hour' });
  },
};
