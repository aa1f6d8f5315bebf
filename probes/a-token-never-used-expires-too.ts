import { lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** Where the 24 hours begin with the first use, a token in a drawer never ends. Its sibling is the control. */
export const aTokenNeverUsedExpiresToo: Probe = {
  name: 'a-token-never-used-expires-too',
  clauses: ['EXPIRY-2'],
  needs: 'clock',
  async run({ service, account, endpoint, judge, clock }) {
    const unused = await service.issue(account);
    await clock.pass(1000);
    const unlike = await service.call(endpoint, bearer(await service.issue(account)));
    judge.admitted(unlike, 'BEARER-1');
    await clock.until(unused.madeAt + lifetime);
    const answer = await service.call(endpoint, bearer(unused));
    judge.refused(answer, 'EXPIRY-2', {
      unlike,
      because: 'its 24 hours have elapsed, and it was never used',
    });
  },
};
