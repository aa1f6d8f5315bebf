import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { isJwt, unsigned } from '../contract/token-form.ts';

/**
 * The oldest mistake with JWTs (RFC 8725 2.1): the token itself says that nobody need check it. Other tokens cannot be
 * unsigned.
 */
export const anUnsignedJwtIsRefused: Probe = {
  name: 'an-unsigned-jwt-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of isJwt(token.secret) ? unsigned(token.secret) : []) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};
