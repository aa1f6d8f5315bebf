import { cookiesOf } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * If a service sets a cookie with a token or after an authorised request, it must not accept it instead of a token.
 * Frameworks with sessions begin one at each login.
 */
export const aSessionCookieIsNoWayIn: Probe = {
  name: 'a-session-cookie-is-no-way-in',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    for (const [cookies, of] of [
      [token.cookies, 'the answer that gave a token'],
      [cookiesOf(control), 'an authorised answer'],
    ] as const) {
      if (cookies === undefined) continue;
      const answer = await service.call(endpoint, { headers: { Cookie: cookies } });
      const reason = `only the cookies of ${of} are sent`;
      judge.refused(answer, 'BEARER-2', { control, reason });
    }
  },
};
