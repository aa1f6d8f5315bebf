import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { recased } from '../contract/token-form.ts';

/** A database column that does not tell cases apart makes guessing easier by far. */
export const aReCasedTokenIsRefused: Probe = {
  name: 'a-re-cased-token-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const { how, secret } of recased(token.secret)) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};
