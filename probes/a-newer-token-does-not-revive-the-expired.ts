import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime } from '../contract/time/clock.ts';

/** If the expiry is stored for the client instead of the token, the next token revives the last one. */
export const aNewerTokenDoesNotReviveTheExpired: Probe = {
  name: 'a-newer-token-does-not-revive-the-expired',
  clauses: ['EXPIRY-5'],
  scope: 'deep',
  stage: 'simulated',
  withoutToken: 'EXPIRY-6',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    await clock.pass(lifetime + hours(1));
    const before = await service.call(endpoint, bearer(token));
    judge.refused(before, 'EXPIRY-2', { control, reason: 'it has expired an hour ago' });
    const newer = await service.issue(account);
    judge.admitted(await service.call(endpoint, bearer(newer)), 'EXPIRY-6');
    const after = await service.call(endpoint, bearer(token));
    const clause = before.status === 401 ? 'EXPIRY-5' : 'EXPIRY-2';
    const reason = 'a newer token was made after it had expired';
    judge.refused(after, clause, { control, reason });
  },
};
