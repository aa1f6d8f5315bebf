import { bare, plain, refusesAll, tokenIn, withScheme } from '../contract/attacks/token-guesses.ts';
import {
  parameterNames,
  pathPatterns,
  respeltParameterNames,
} from '../contract/attacks/token-places.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * RFC 6750 2.3 defines this and advises against it; this API does not support it, nor a token in the path. URLs are
 * stored in logs.
 */
export const aTokenInTheQueryIsRefused: Probe = {
  name: 'a-token-in-the-query-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const guesses = [
      ...tokenIn('query', ['access_token'], bare).map(plain),
      ...tokenIn('query', parameterNames, bare),
      ...tokenIn('query', parameterNames, withScheme),
      ...tokenIn('query', respeltParameterNames, bare),
      ...tokenIn('path', pathPatterns, bare),
    ];
    await refusesAll(world, 'BEARER-2', guesses);
  },
};
