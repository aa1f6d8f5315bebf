import { clauseOfUse } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { lifetime, seconds } from '../contract/time/clock.ts';

/**
 * A grace period after the last use, or a verdict that is cached by token or by connection, would begin with this use.
 */
export const aUseInTheLastMillisecondMovesNothing: Probe = {
  name: 'a-use-in-the-last-millisecond-moves-nothing',
  clauses: ['EXPIRY-3'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    const token = await service.issue(account);
    const twin = await service.issue(account);
    await clock.until(token.madeAt + lifetime - 1);
    await service.connection(async (kept) => {
      const control = await kept.call(endpoint, bearer(token));
      judge.admitted(control, 'EXPIRY-1', 'it is its first use');
      const checks = [
        [0, service],
        [0, kept],
        [1, service],
        [seconds(1), service],
      ] as const;
      for (const [late, via] of checks) {
        await clock.until(token.madeAt + lifetime + late);
        const answer = await via.call(endpoint, bearer(token));
        const clause = await clauseOfUse(world, answer, token, twin);
        const on = via === kept ? ', on the same connection' : '';
        const reason = `it was used in its last millisecond${on}`;
        judge.refused(answer, clause, { control, reason });
      }
    });
  },
};
