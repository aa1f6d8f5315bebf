import {
  bare,
  plain,
  refusesAll,
  type TokenForm,
  tokenIn,
  withScheme,
} from '../contract/attacks/token-guesses.ts';
import { cookieNames } from '../contract/attacks/token-places.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/** A cookie cannot contain a blank (RFC 6265 4.1.1), so clients encode it. */
const encoded: TokenForm = {
  how: ', behind "Bearer%20"',
  of: (secret) => seal`Bearer%20${secret}`,
};

/** Browsers send cookies automatically, so any web page could send requests that such a guard admits. */
export const aTokenInACookieIsRefused: Probe = {
  name: 'a-token-in-a-cookie-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const guesses = [
      ...tokenIn('cookie', ['access_token'], bare).map(plain),
      ...[bare, withScheme, encoded].flatMap((form) => tokenIn('cookie', cookieNames, form)),
    ];
    await refusesAll(world, 'BEARER-2', guesses);
  },
};
