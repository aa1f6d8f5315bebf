import { clauseOfUse } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { lifetime, seconds } from '../contract/time/clock.ts';

/** A grace period after the last use, or a cached verdict, would begin with this use. */
export const aUseInTheLastMillisecondMovesNothing: Probe = {
  name: 'a-use-in-the-last-millisecond-moves-nothing',
  clauses: ['EXPIRY-3'],
  needs: 'clock',
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    const token = await service.issue(account);
    const twin = await service.issue(account);
    await clock.until(token.madeAt + lifetime - 1);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'EXPIRY-1', 'it is its first use');
    for (const late of [0, 1, seconds(1)]) {
      await clock.until(token.madeAt + lifetime + late);
      const answer = await service.call(endpoint, bearer(token));
      const clause = await clauseOfUse(world, answer, token, twin);
      judge.refused(answer, clause, { control, reason: 'it was used in its last millisecond' });
    }
  },
};
