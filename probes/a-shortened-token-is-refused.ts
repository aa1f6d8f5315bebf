import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { shortened } from '../contract/token-form.ts';

/** A lookup by prefix, or a comparison that stops at the shorter text, takes a part for the whole. */
export const aShortenedTokenIsRefused: Probe = {
  name: 'a-shortened-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of shortened(token.secret)) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};
