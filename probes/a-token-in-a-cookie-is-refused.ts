import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { bearer } from '../contract/service.ts';

/** A cookie is sent by browsers of its own accord: a guard that reads one can be used from any page. */
export const aTokenInACookieIsRefused: Probe = {
  name: 'a-token-in-a-cookie-is-refused',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const name of [
      'access_token',
      'access_token_cookie',
      'accessToken',
      'token',
      'jwt',
      'session',
      'Authorization',
    ]) {
      const headers = { Cookie: seal`${name}=${token.secret}` };
      const contrast = { unlike, because: `the token is in the cookie ${name}` };
      judge.refused(await service.call(endpoint, { headers, token }), 'BEARER-2', contrast);
    }
  },
};
