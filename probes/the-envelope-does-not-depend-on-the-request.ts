import { checkEnvelope, isEnvelope } from '../contract/attempts/envelope.ts';
import { badTokens, variationsOf } from '../contract/attempts/variations.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Frameworks answer some requests before the guard, or instead of it: with a login page for browsers, another
 * language, a 304 to a client with a copy, or a crash on an unusual token. Each kind of token is sent in another
 * kind of request.
 */
export const theEnvelopeDoesNotDependOnTheRequest: Probe = {
  name: 'the-envelope-does-not-depend-on-the-request',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3'],
  scope: 'deep',
  stage: 'disturbing',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const { service, account, endpoint, contract } = world;
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    const plain = await contract.missing({}, { control, reason: 'it is not authorised' });
    if (plain?.status !== 401) return;
    const admitted = { token, control };
    const variations = variationsOf(endpoint, control);
    const answers = await checkEnvelope(world, variations, admitted, 'BEARER-2');
    const carriers = [...answers].flatMap(([variation, answer]) =>
      isEnvelope(answer) && !variation.some(changesMethod) ? [variation] : [],
    );
    const carried = badTokens.map((badToken, index) => [
      ...(carriers[index % carriers.length] ?? []),
      badToken,
    ]);
    await checkEnvelope(world, carried, admitted, 'BEARER-3');
  },
};

const changesMethod = ({ what }: { readonly what: string }): boolean => what.includes('method');
