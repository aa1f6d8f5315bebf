import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { lengthened } from '../contract/token-form.ts';

/** A comparison that stops at the end of the right token does not see what follows. */
export const aLengthenedTokenIsRefused: Probe = {
  name: 'a-lengthened-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of lengthened(token.secret)) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};
