import { spoilt } from '../contract/attempts/tokens.ts';
import { bearer } from '../contract/http/client.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';
import { madeUp } from '../contract/token-form.ts';

/**
 * A guard that counts failures against the client, or drops a session at the first failure, lets a stranger end
 * the session.
 */
export const refusedRequestsChangeNothing: Probe = {
  name: 'refused-requests-change-nothing',
  clauses: ['BEARER-6'],
  scope: 'service',
  stage: 'first',
  async run({ service, account, endpoint, contract }) {
    const token = await service.issue(account);
    const valid = bearer(token);
    // If one of several servers refuses a valid token by itself, this shows before any refused request.
    for (let use = 1; use <= 2; use++) await contract.admits(valid, 'BEARER-1');
    const isEndedBy = async (reason: string): Promise<boolean> =>
      (await contract.admits(valid, 'BEARER-6', `${reason} went before`)).status === 401;
    const refused = Array.from({ length: 12 }, (_, index) =>
      contract.send(index % 3 === 0 ? {} : bearer(madeUp(token))),
    );
    await Promise.all(refused);
    if (await isEndedBy(`${refused.length} refused requests`)) return;
    const { how: alteration, token: other } = spoilt(token);
    const { secret } = token;
    // A service may take a token in a wrong place for a leaked one, or an altered one for an attack, and end it.
    for (const [how, options] of [
      ['under Basic', { authorization: seal`Basic ${secret}` }],
      ['without its scheme', { authorization: secret }],
      ['in the header X-Api-Key', { headers: { 'X-Api-Key': secret } }],
      ['in a cookie', { headers: { Cookie: seal`access_token=${secret}` } }],
      ['in the query', { query: seal`access_token=${secret}` }],
      [alteration, bearer(other)],
    ] as const) {
      await orNothing(service.call(endpoint, { ...options, mayFail: true }));
      if (await isEndedBy(`a request with the token ${how}`)) return;
    }
  },
};
