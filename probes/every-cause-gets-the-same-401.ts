import { spoilt } from '../contract/attempts/tokens.ts';
import type { MustId } from '../contract/clauses.ts';
import { bearer, under } from '../contract/http/client.ts';
import { type CallOptions, hasBody } from '../contract/http/request.ts';
import { difference, spreadOver } from '../contract/judge/sameness.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { madeUp } from '../contract/token-form.ts';

/** If the answer distinguishes a missing token from a wrong one, attackers learn how far they got. */
export const everyCauseGetsTheSame401: Probe = {
  name: 'every-cause-gets-the-same-401',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 300,
  anyToken: true,
  async run({ service, account, endpoint, endpoints, contract }) {
    if (!endpoints.some(hasBody))
      contract.unproven('the answers to HEAD have no body: name an endpoint of another method');
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    const missing = () => contract.missing({}, { control, reason: 'no token was sent' });
    const spread = spreadOver(service, endpoint, token);
    for (const [reason, clause, options] of causes(token)) {
      const refused = () => contract.refuses(options(), clause, { control, reason });
      const unequal = await difference(missing, refused, 'values', spread);
      if (unequal === undefined) continue;
      const expected = 'the same answer as to a missing token';
      contract.violated('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
    }
  },
};

/** Requests without a valid token, which guards and libraries refuse in different code. */
const causes = (
  token: Token,
  { how, token: other } = spoilt(token),
): readonly (readonly [reason: string, clause: MustId, options: () => CallOptions])[] => [
  // A different token each time, because a load balancer may choose the server by the header.
  ['the token is made up', 'BEARER-3', () => bearer(madeUp(token))],
  ['the scheme is Basic', 'BEARER-4', () => under('Basic', token)],
  ['nothing follows the scheme', 'BEARER-2', () => ({ authorization: 'Bearer' })],
  ['the token has no scheme', 'BEARER-4', () => ({ authorization: token.secret, token })],
  ['the scheme is Token', 'BEARER-4', () => under('Token', token)],
  [`the token is ${how}`, 'BEARER-3', () => bearer(other)],
];
