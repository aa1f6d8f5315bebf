import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, under } from '../contract/http/client.ts';
import { type CallOptions, hasBody } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { difference } from '../contract/sameness.ts';
import { bearerMadeUp } from '../contract/token-form.ts';

/** If the answer distinguishes a missing token from a wrong one, attackers learn how far they got. */
export const everyCauseGetsTheSame401: Probe = {
  name: 'every-cause-gets-the-same-401',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'],
  everySeconds: 300,
  anyToken: true,
  async run({ service, account, endpoint, endpoints, judge }) {
    if (!endpoints.some(hasBody))
      judge.unproven('the answers to HEAD have no body: name an endpoint of another method');
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    const refusal =
      (clause: MustId, reason: string, options: () => CallOptions) => async (): Promise<Answer> => {
        const answer = await service.call(endpoint, options());
        judge.refused(answer, clause, { control, reason });
        return answer;
      };
    const without = refusal('BEARER-2', 'no token was sent', () => ({}));
    const missing = async () => judge.about401(await without());
    // A different token each time, because a load balancer may choose the server by the header.
    const madeUp = () => bearerMadeUp(token);
    const spread = () => service.call(endpoint, madeUp());
    for (const [clause, reason, options] of [
      ['BEARER-3', 'the token is made up', madeUp],
      ['BEARER-4', 'the scheme is Basic', () => under('Basic', token)],
    ] as const) {
      const other = refusal(clause, reason, options);
      const unequal = await difference(missing, other, 'values', spread);
      if (unequal === undefined) continue;
      const expected = 'the same answer as to a missing token';
      judge.broken('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
    }
  },
};
