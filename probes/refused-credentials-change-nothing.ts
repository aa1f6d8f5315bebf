import { answerTo } from '../contract/attacks/grants.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secrets/secret.ts';

/** An API key is not secret. A stranger who knows it must not be able to invalidate the tokens of its owner. */
export const refusedCredentialsChangeNothing: Probe = {
  name: 'refused-credentials-change-nothing',
  clauses: ['BEARER-6'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { service, account, endpoint, judge } = world;
    const token = await service.issue(account);
    judge.admitted(await service.call(endpoint, bearer(token)), 'BEARER-1');
    const secretKey = new Secret('not-the-secret-key');
    const wrong = { apiKey: account.apiKey, secretKey };
    await Promise.all(Array.from({ length: wrongPairs }, () => answerTo(world, { json: wrong })));
    const answer = await service.call(endpoint, bearer(token));
    judge.admitted(answer, 'BEARER-6', `${wrongPairs} refused token requests went before`);
  },
};

/** Keycloak disables a user, and with it the user's tokens, after thirty failures by default. */
const wrongPairs = 32;
