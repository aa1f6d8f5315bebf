import type { Probe } from '../contract/probe.ts';
import { refusesEach } from '../contract/refuses-each.ts';
import { madeUpLike } from '../contract/token-form.ts';
import { asWritten, authorization, basicCredentials, plain } from '../contract/token-guesses.ts';
import { basicPairs, commonSchemes, schemes } from '../contract/token-places.ts';

/** Bearer alone is the scheme of this API; the token itself is good, so only the scheme can be the cause. */
export const anotherSchemeIsRefused: Probe = {
  name: 'another-scheme-is-refused',
  clauses: ['BEARER-4'],
  everySeconds: 300,
  anyToken: true,
  async run(world) {
    const token = await world.service.issue(world.account);
    const underScheme = (scheme: string) =>
      authorization(`the scheme is ${scheme}`, asWritten(`${scheme} TOKEN`));
    const guesses = [
      ...commonSchemes.map(underScheme).map(plain),
      ...schemes.map(underScheme),
      ...basicPairs.map((pair) =>
        basicCredentials(`the Basic credentials are ${pair}`, asWritten(pair)),
      ),
    ];
    const { secret } = token;
    const madeUp = madeUpLike(secret).secret;
    await refusesEach(world, { clause: 'BEARER-4', guesses, token, real: secret, madeUp });
  },
};
