import { isEndpointAnswer } from '../contract/admission.ts';
import { checkEnvelope } from '../contract/attempts/refusals.ts';
import { alterLast } from '../contract/attempts/tokens.ts';
import { badTokens, listVariations } from '../contract/attempts/variations.ts';
import type { MustId } from '../contract/clauses.ts';
import type { Answer } from '../contract/http/answer.ts';
import { bearer, under } from '../contract/http/client.ts';
import { type CallOptions, endpointName, hasBody } from '../contract/http/request.ts';
import { difference, refusesAlike } from '../contract/judge/sameness.ts';
import { daily, onceADay, type Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { randomToken } from '../contract/token-form.ts';

/** If the answer distinguishes a missing token from a wrong one, attackers learn how far they got. */
export const everyCauseGetsTheSame401: Probe = {
  name: 'every-cause-gets-the-same-401',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'],
  ...onceADay,
  async run(world) {
    const { service, account, endpoints, contract } = world;
    if (!endpoints.some(hasBody))
      contract.unproven('the answers to HEAD have no body: name an endpoint of another method');
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    for (const [reason, clause, options] of contract.selectPart(causes(token), () => 2))
      await refusesAlike(world, token, options, clause, { control, reason });
  },
};

/** Requests without a valid token, which guards and libraries refuse in different code. */
const causes = (
  token: Token,
  { how, token: other } = alterLast(token),
): readonly (readonly [reason: string, clause: MustId, options: () => CallOptions])[] => [
  // A different token each time, because a load balancer may choose the server by the header.
  ['the token is made up', 'BEARER-3', () => bearer(randomToken(token))],
  ['the scheme is Basic', 'BEARER-4', () => under('Basic', token)],
  ['the Authorization header is empty', 'BEARER-2', () => ({ authorization: '' })],
  ['nothing follows the scheme', 'BEARER-2', () => ({ authorization: 'Bearer' })],
  ['only blanks follow the scheme', 'BEARER-2', () => ({ authorization: 'Bearer  ' })],
  ['the token has no scheme', 'BEARER-4', () => ({ authorization: token.secret, token })],
  ['the scheme is Token', 'BEARER-4', () => under('Token', token)],
  [`the token is ${how}`, 'BEARER-3', () => bearer(other)],
];

/** One guard for all endpoints and methods gives one answer; different answers come from duplicated code. */
export const everyEndpointGetsTheSame401: Probe = {
  name: 'every-endpoint-gets-the-same-401',
  clauses: ['ERROR-4'],
  scope: 'service',
  stage: 'present',
  everySeconds: daily,
  async run({ endpoint, endpoints, contract }) {
    const [first = endpoint, ...others] = endpoints.filter(hasBody);
    // With one endpoint there is nothing to compare, but a run without a request would pass in an outage.
    if (others.length === 0 && (await contract.missing({ to: first })) === undefined)
      await contract.send({ to: first });
    for (const to of contract.selectPart(others, () => 2)) {
      const unequal = await difference(
        () => contract.missing({ to: first }),
        () => contract.missing({ to }),
        'names',
      );
      if (unequal === undefined) continue;
      contract.violated('ERROR-4', unequal.answer, {
        reason: `the endpoint is ${endpointName(to)}`,
        expected: `the same answer as at ${endpointName(first)}`,
        received: unequal.message,
      });
    }
  },
};

/**
 * Frameworks answer some requests before the guard, or instead of it: with a login page for browsers, another language,
 * a 304 to a client with a copy, or a crash on an unusual token.
 */
export const theEnvelopeDoesNotDependOnTheRequest: Probe = {
  name: 'the-envelope-does-not-depend-on-the-request',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3'],
  scope: 'deep',
  stage: 'disturbing',
  everySeconds: daily,
  anyToken: true,
  async run(world) {
    const { service, account, endpoint, contract } = world;
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    const plain = await contract.missing({}, { control, reason: 'it is not authorised' });
    if (plain?.status !== 401) return;
    const admitted = { token, control };
    const variations = contract.selectPart(listVariations(endpoint, control));
    // An intermediary may answer such a request with a success of its own.
    const admission = (clause: MustId) => async (answer: Answer) =>
      isEndpointAnswer(answer, control) ? clause : 'ERROR-1';
    await checkEnvelope(world, variations, admitted, admission('BEARER-2'));
    const bad = contract.selectPart(badTokens).map((badToken) => [badToken]);
    await checkEnvelope(world, bad, admitted, admission('BEARER-3'));
  },
};
