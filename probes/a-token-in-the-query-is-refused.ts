import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { bearer } from '../contract/service.ts';

/** RFC 6750 knows this way and advises against it; this API does not have it. Addresses end up in logs. */
export const aTokenInTheQueryIsRefused: Probe = {
  name: 'a-token-in-the-query-is-refused',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const name of [
      'access_token',
      'accessToken',
      'token',
      'api_token',
      'auth_token',
      'bearer',
      'auth',
      'authorization',
      'jwt',
    ]) {
      const query = seal`${name}=${token.secret.derive(encodeURIComponent)}`;
      const contrast = { unlike, because: `the token is in the query as ${name}` };
      judge.refused(await service.call(endpoint, { query, token }), 'BEARER-2', contrast);
    }
  },
};
