import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { isJwt, prolonged } from '../contract/token-form.ts';

/** The claims are read before, or without, the signature. Other tokens do not carry their end. */
export const aJwtWithALaterEndIsRefused: Probe = {
  name: 'a-jwt-with-a-later-end-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of isJwt(token.secret) ? [prolonged(token.secret)] : []) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};
