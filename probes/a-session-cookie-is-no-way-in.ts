import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret } from '../contract/secrets/secret.ts';

/** If a service sets a cookie after an authorised request, it must not accept it instead of a token. */
export const aSessionCookieIsNoWayIn: Probe = {
  name: 'a-session-cookie-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const control = await service.call(endpoint, bearer(await service.issue(account)));
    judge.admitted(control, 'BEARER-1');
    const cookies = cookiesOf(control);
    if (cookies === '') return;
    const answer = await service.call(endpoint, { headers: { Cookie: new Secret(cookies) } });
    judge.refused(answer, 'BEARER-2', {
      control,
      reason: 'only the cookies of an authorised answer are sent',
    });
  },
};

const cookiesOf = ({ headers }: Answer): string =>
  headers
    .filter(([name]) => name.toLowerCase() === 'set-cookie')
    .map(([, value]) => value.split(';')[0] ?? '')
    .join('; ');
