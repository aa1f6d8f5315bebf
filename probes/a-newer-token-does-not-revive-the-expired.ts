import { hours, lifetime } from '../contract/clock.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** Where the end belongs to the client instead of the token, the next token prolongs the last. */
export const aNewerTokenDoesNotReviveTheExpired: Probe = {
  name: 'a-newer-token-does-not-revive-the-expired',
  clauses: ['EXPIRY-5'],
  needs: 'clock',
  withoutToken: 'EXPIRY-6',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    judge.admitted(await service.call(endpoint, bearer(token)), 'BEARER-1');
    await clock.pass(lifetime + hours(1));
    const unlike = await service.call(endpoint, bearer(await service.issue(account)));
    judge.admitted(unlike, 'EXPIRY-6');
    const answer = await service.call(endpoint, bearer(token));
    judge.refused(answer, 'EXPIRY-5', {
      unlike,
      because: 'it expired before a newer token was made',
    });
  },
};
