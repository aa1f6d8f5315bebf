import { refusesAll } from '../contract/attempts/elsewhere.ts';
import type { Guess } from '../contract/attempts/items.ts';
import { basicPairs, commonSchemes, schemes, withoutScheme } from '../contract/attempts/places.ts';
import {
  asWritten,
  authorization,
  basicCredentials,
  plain,
} from '../contract/attempts/token-guesses.ts';
import type { Probe } from '../contract/probe.ts';
import type { Secret } from '../contract/secrets/secret.ts';

/**
 * This API uses only Bearer: a complete word, followed by a blank (RFC 9110 11.4). The token itself is valid, so only
 * the scheme can be the cause.
 */
export const anotherSchemeIsRefused: Probe = {
  name: 'another-scheme-is-refused',
  clauses: ['BEARER-4'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 300,
  anyToken: true,
  run: (world) => refusesAll(world, 'BEARER-4', guesses),
};

const underScheme = (scheme: string): Guess<Secret> =>
  authorization(`the scheme is ${scheme}`, asWritten(`${scheme} TOKEN`));

const guesses: readonly Guess<Secret>[] = [
  ...commonSchemes.map(underScheme).map(plain),
  plain(authorization('the header is TOKEN', asWritten('TOKEN'))),
  ...withoutScheme.map((text) => authorization(`the header is ${text}`, asWritten(text))),
  ...schemes.map(underScheme),
  ...basicPairs.map((pair) =>
    basicCredentials(`the Basic credentials are ${pair}`, asWritten(pair)),
  ),
];
