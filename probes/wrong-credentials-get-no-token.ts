import { type CredentialAttempt, wrongPairs } from '../contract/attempts/credentials.ts';
import { getNoToken } from '../contract/attempts/grants.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Each half of the pair is changed in every way in which comparisons fail, while the other half stays right: lookups by
 * prefix or pattern, and comparisons that stop at the shorter text, normalise, decode, or accept the hash of the text.
 * An API key is not secret. A stranger who knows it must not be able to invalidate the tokens of its owner: Keycloak
 * disables a user, and with it the user's tokens, after thirty failures by default.
 */
export const wrongCredentialsGetNoToken: Probe = {
  name: 'wrong-credentials-get-no-token',
  clauses: ['TOKEN-2', 'BEARER-6'],
  scope: 'service',
  stage: 'wrong-credentials',
  quick: true,
  async run(world) {
    const { service, account, contract, quick } = world;
    const token = await service.issue(account);
    await contract.admits(bearer(token), 'BEARER-1');
    const all = wrongPairs(account);
    const attempts = quick ? all.filter(isPlain) : all;
    await getNoToken(world, attempts, 'TOKEN-2', token.secret);
    const reason = `${attempts.length} refused token requests went before`;
    await contract.admits(bearer(token), 'BEARER-6', reason);
  },
};

const isPlain = ([description]: CredentialAttempt): boolean =>
  description === 'secretKey is another text';
