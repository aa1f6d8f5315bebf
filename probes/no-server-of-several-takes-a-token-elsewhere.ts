import { bearer } from '../contract/http/client.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import { type Secret, seal } from '../contract/secrets/secret.ts';

/**
 * One address may have several servers, and one of them may read tokens from places other than the header (RFC
 * 6750, or customary ones). A single request may reach another server.
 */
export const noServerOfSeveralTakesATokenElsewhere: Probe = {
  name: 'no-server-of-several-takes-a-token-elsewhere',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const admitted = await service.call(endpoint, bearer(token));
    judge.admitted(admitted, 'BEARER-1');
    const options = elsewhere(token.secret);
    for (let request = 0; request < requests; request++) {
      // With a long token the copies exceed what a server accepts, and some servers then reset the connection.
      const answer = await orNothing(service.call(endpoint, { ...options, token, mayFail: true }));
      if (answer === undefined) continue;
      const reason = 'the token is in the query, in cookies and in other headers';
      judge.shut(answer, 'BEARER-2', { control: admitted, authorised: admitted, reason });
    }
  },
};

/** One of two servers that are chosen at random is missed once in 64 times. */
const requests = 6;

function elsewhere(secret: Secret) {
  const encoded = secret.derive(encodeURIComponent);
  return {
    query: seal`access_token=${encoded}&token=${encoded}`,
    headers: {
      Cookie: seal`access_token=${encoded}; token=${encoded}`,
      'X-Access-Token': secret,
      'X-Auth-Token': secret,
      'X-Api-Key': secret,
      Token: secret,
    },
  };
}
