import { ahead } from '../contract/ahead.ts';
import { badTokens, type Variation, variationsOf } from '../contract/attacks/request-variations.ts';
import { checkEnvelope } from '../contract/envelope-check.ts';
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
    const { service, account, endpoint, judge } = world;
    const admitted = await service.call(endpoint, bearer(await service.issue(account)));
    judge.admitted(admitted, 'BEARER-1');
    if (!(await checkEnvelope(world, [], admitted, 'BEARER-2'))) return;
    const fit: Variation[] = [];
    const checks = ahead(variationsOf(endpoint, admitted), (variation) =>
      checkEnvelope(world, variation, admitted, 'BEARER-2'),
    );
    for await (const [variation, fits] of checks) if (fits) fit.push(variation);
    const carriers = fit.filter((variation) =>
      variation.every(({ options }) => options.method === undefined),
    );
    const carried = badTokens.map((badToken, index) => [
      ...(carriers[index % carriers.length] ?? []),
      badToken,
    ]);
    const last = ahead(carried, (variation) =>
      checkEnvelope(world, variation, admitted, 'BEARER-3'),
    );
    for await (const _ of last);
  },
};
