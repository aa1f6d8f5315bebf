import { lifetime, seconds } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** A grace period after the last use, or a verdict that is kept for a while, begins with this one. */
export const aUseInTheLastMillisecondMovesNothing: Probe = {
  name: 'a-use-in-the-last-millisecond-moves-nothing',
  clauses: ['EXPIRY-3'],
  needs: 'clock',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    await clock.until(token.madeAt + lifetime - 1);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'EXPIRY-1', 'it is its first use');
    for (const late of [0, 1, seconds(1)]) {
      await clock.until(token.madeAt + lifetime + late);
      const answer = await service.call(endpoint, bearer(token));
      judge.refused(answer, 'EXPIRY-3', { unlike, because: 'it was used in its last millisecond' });
    }
  },
};
