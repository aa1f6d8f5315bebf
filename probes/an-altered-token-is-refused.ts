import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { altered } from '../contract/token-form.ts';

/** Every part of a token counts: one changed character anywhere makes it another token. */
export const anAlteredTokenIsRefused: Probe = {
  name: 'an-altered-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of altered(token.secret)) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};
