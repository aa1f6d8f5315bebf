import { bare, plain, refusesAll, tokenIn, withScheme } from '../contract/attacks/token-guesses.ts';
import { jsonNames, parameterNames } from '../contract/attacks/token-places.ts';
import type { Probe } from '../contract/probe.ts';

/** RFC 6750 2.2 defines this for forms. A body is unusual with GET, but servers read it. */
export const aTokenInTheBodyIsRefused: Probe = {
  name: 'a-token-in-the-body-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const usual = !/^(GET|HEAD|OPTIONS|DELETE)$/.test(world.endpoint.method);
    const guesses = [
      ...(usual ? tokenIn('form', ['access_token'], bare).map(plain) : []),
      ...tokenIn('json', jsonNames, bare),
      ...tokenIn('json', jsonNames, withScheme),
      ...tokenIn('form', parameterNames, bare),
      ...tokenIn('form', parameterNames, withScheme),
      ...tokenIn('multipart', parameterNames, bare),
    ];
    await refusesAll(world, 'BEARER-2', guesses);
  },
};
