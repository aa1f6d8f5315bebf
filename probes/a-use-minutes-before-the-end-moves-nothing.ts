import { clauseOfUse } from '../contract/end-of-token.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { issuedTooOld, reachAge } from '../contract/time/age.ts';
import { type Clock, hours, lifetime, minutes, seconds } from '../contract/time/clock.ts';

/**
 * If a positive verdict is cached for a minute, an hour or half a day after a use, it must not outlive the token.
 */
export const aUseMinutesBeforeTheEndMovesNothing: Probe = {
  name: 'a-use-minutes-before-the-end-moves-nothing',
  clauses: ['EXPIRY-3'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    await clock.pass(seconds(2));
    const twin = await service.issue(account);
    // Issued in separate seconds: two JWTs of the same second are the same text.
    await clock.pass(seconds(1));
    const tokens = await Promise.all(uses.map(() => service.issue(account)));
    let outlived = false;
    const liveUnused = async (own: Clock): Promise<void> => {
      if (await reachAge(own, twin, lifetime))
        outlived = (await service.call(endpoint, bearer(twin))).status !== 401;
    };
    await clock.together([
      liveUnused,
      ...tokens.map((token, index) => async (own: Clock) => {
        let control: Answer | undefined;
        for (const before of uses[index] ?? []) {
          if (!(await reachAge(own, token, lifetime - before))) continue;
          control = await service.call(endpoint, bearer(token));
          judge.admitted(control, 'EXPIRY-1', 'its 24 hours have not elapsed');
        }
        if (control === undefined || !(await reachAge(own, token, lifetime)))
          return judge.unproven(issuedTooOld);
        const answer = await service.call(endpoint, bearer(token));
        const clause = outlived ? 'EXPIRY-2' : await clauseOfUse(world, answer, token, twin);
        judge.refused(answer, clause, { control, reason: 'it was used shortly before its end' });
      }),
    ]);
  },
};

/**
 * How long before its end each token is used: once, or so often that it counts as busy. The first use is a whole
 * number of hours after the start, when other probes send requests too.
 */
const uses = [
  [hours(6) + seconds(3)],
  [minutes(50)],
  [minutes(4)],
  [seconds(50), seconds(40), seconds(30)],
] as const;
