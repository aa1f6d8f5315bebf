import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { difference, spreadOver } from '../contract/sameness.ts';
import { lifetime } from '../contract/time/clock.ts';

/** Most libraries answer "Token expired" by default; this API does not reveal the cause. */
export const anExpiredTokenGetsTheSame401: Probe = {
  name: 'an-expired-token-gets-the-same-401',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'simulated',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    await clock.pass(lifetime);
    const refusal =
      (clause: MustId, reason: string, options: CallOptions) => async (): Promise<Answer> => {
        const answer = await service.call(endpoint, options);
        judge.refused(answer, clause, { control, reason });
        return answer;
      };
    const reason = 'the token has expired';
    const expired = refusal('EXPIRY-2', reason, bearer(token));
    const without = refusal('BEARER-2', 'no token was sent', {});
    const missing = async () => judge.about401(await without());
    const spread = spreadOver(service, endpoint, token);
    const unequal = await difference(missing, expired, 'values', spread);
    if (unequal === undefined) return;
    const expected = 'the same answer as to a missing token';
    judge.broken('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
  },
};
