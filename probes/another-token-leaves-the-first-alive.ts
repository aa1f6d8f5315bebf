import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** Several processes of one caller share its credentials: each of them makes tokens of its own. */
export const anotherTokenLeavesTheFirstAlive: Probe = {
  name: 'another-token-leaves-the-first-alive',
  clauses: ['EXPIRY-4'],
  once: true,
  order: 'first',
  everySeconds: 600,
  async run({ service, account, endpoint, judge }) {
    const first = await service.issue(account);
    judge.admitted(await service.call(endpoint, bearer(first)), 'BEARER-1');
    const second = await service.issue(account);
    judge.admitted(
      await service.call(endpoint, bearer(first)),
      'EXPIRY-4',
      'another token was made after it',
    );
    judge.admitted(
      await service.call(endpoint, bearer(second)),
      'BEARER-1',
      'it is the newest token',
    );
  },
};
