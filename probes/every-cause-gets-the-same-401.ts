import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, under } from '../contract/http/client.ts';
import { type CallOptions, hasBody } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { difference, spreadOver } from '../contract/sameness.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { altered, bearerMadeUp } from '../contract/token-form.ts';

/** If the answer distinguishes a missing token from a wrong one, attackers learn how far they got. */
export const everyCauseGetsTheSame401: Probe = {
  name: 'every-cause-gets-the-same-401',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'],
  scope: 'deep',
  stage: 'present',
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
    const spread = spreadOver(service, endpoint, token);
    // A different token each time, because a load balancer may choose the server by the header.
    const madeUp = () => bearerMadeUp(token);
    const judged: readonly Refusal[] = [
      ['the token is made up', refusal('BEARER-3', 'the token is made up', madeUp)],
      [
        'the scheme is Basic',
        refusal('BEARER-4', 'the scheme is Basic', () => under('Basic', token)),
      ],
    ];
    // Other probes judge each of these answers by itself.
    const compared = formsOf(token).map(
      ([reason, options]): Refusal => [reason, () => service.call(endpoint, options)],
    );
    for (const [reason, other] of [...judged, ...compared]) {
      const unequal = await difference(missing, other, 'values', spread);
      if (unequal === undefined) continue;
      const expected = 'the same answer as to a missing token';
      judge.broken('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
    }
  },
};

type Refusal = readonly [reason: string, send: () => Promise<Answer>];

/** Further requests without a valid token, which guards and libraries refuse in other code. */
const formsOf = (token: Token): readonly (readonly [reason: string, options: CallOptions])[] => [
  ['nothing follows the scheme', { authorization: 'Bearer' }],
  ['the token has no scheme', { authorization: token.secret, token }],
  ['the scheme is Token', under('Token', token)],
  ...altered(token.secret)
    .slice(-1)
    .map(({ how, secret }) => [`the token is ${how}`, bearer({ ...token, secret })] as const),
];
