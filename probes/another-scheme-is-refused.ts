import {
  asWritten,
  authorization,
  basicCredentials,
  plain,
  refusesAll,
} from '../contract/attacks/token-guesses.ts';
import { basicPairs, commonSchemes, schemes } from '../contract/attacks/token-places.ts';
import type { Probe } from '../contract/probe.ts';

/** This API uses only Bearer. The token itself is valid, so only the scheme can be the cause. */
export const anotherSchemeIsRefused: Probe = {
  name: 'another-scheme-is-refused',
  clauses: ['BEARER-4'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 300,
  anyToken: true,
  async run(world) {
    const underScheme = (scheme: string) =>
      authorization(`the scheme is ${scheme}`, asWritten(`${scheme} TOKEN`));
    const guesses = [
      ...commonSchemes.map(underScheme).map(plain),
      ...schemes.map(underScheme),
      ...basicPairs.map((pair) =>
        basicCredentials(`the Basic credentials are ${pair}`, asWritten(pair)),
      ),
    ];
    await refusesAll(world, 'BEARER-4', guesses);
  },
};
