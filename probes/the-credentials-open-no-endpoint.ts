import { credentialPlaces } from '../contract/attempts/credential-places.ts';
import { refusesEach } from '../contract/attempts/elsewhere.ts';
import type { Probe } from '../contract/probe.ts';
import { madeUpLike } from '../contract/token-form.ts';

/**
 * The key and the secret key are for the token endpoint. If a service accepts them elsewhere, clients send them
 * with every request.
 */
export const theCredentialsOpenNoEndpoint: Probe = {
  name: 'the-credentials-open-no-endpoint',
  clauses: ['BEARER-5'],
  scope: 'deep',
  stage: 'present',
  async run(world) {
    const { apiKey, secretKey } = world.account;
    const token = await world.service.issue(world.account);
    const madeUp = { apiKey: madeUpLike(apiKey), secretKey: madeUpLike(secretKey) };
    const guesses = credentialPlaces(world.account);
    await refusesEach(world, { clause: 'BEARER-5', guesses, token, real: world.account, madeUp });
  },
};
