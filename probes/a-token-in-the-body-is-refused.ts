import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { type Body, bearer } from '../contract/service.ts';

/**
 * RFC 6750 has this way for forms. The control sends the same body, so that only the missing header can be the cause.
 */
export const aTokenInTheBodyIsRefused: Probe = {
  name: 'a-token-in-the-body-is-refused',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    if (/^(GET|HEAD|OPTIONS)$/.test(endpoint.method)) return;
    const token = await service.issue(account);
    const straight = await service.call(endpoint, bearer(token));
    judge.admitted(straight, 'BEARER-1');
    const bodies: readonly Body[] = [
      {
        type: 'application/x-www-form-urlencoded',
        text: seal`access_token=${token.secret.derive(encodeURIComponent)}`,
      },
      { json: { access_token: token.secret, accessToken: token.secret, token: token.secret } },
    ];
    for (const body of bodies) {
      const unlike = await service.call(endpoint, { ...bearer(token), body });
      judge.admitted(unlike, 'BEARER-1');
      const answer = await service.call(endpoint, { body, token });
      // Such a body is turned away whoever sends it: nobody has looked for a token, least of all in there.
      const turnedAway = unlike.status >= 400 && unlike.status !== straight.status;
      if (turnedAway && answer.status === unlike.status) continue;
      judge.refused(answer, 'BEARER-2', { unlike, because: 'the token is in the body' });
    }
  },
};
