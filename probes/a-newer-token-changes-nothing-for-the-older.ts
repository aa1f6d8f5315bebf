import type { MustId } from '../contract/clauses.ts';
import { noNewToken } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours, lifetime } from '../contract/time/clock.ts';

const reason = 'a newer token was made in its last millisecond';

/** Clients usually renew a token just before it expires. */
export const aNewerTokenChangesNothingForTheOlder: Probe = {
  name: 'a-newer-token-changes-nothing-for-the-older',
  clauses: ['EXPIRY-4'],
  scope: 'deep',
  stage: 'simulated',
  async run({ service, account, endpoint, judge, clock }) {
    const older = await service.issue(account);
    await clock.until(older.madeAt + lifetime - 1);
    const newer = await service.issue(account);
    if (newer.issuedBefore === true) return judge.unproven(noNewToken);
    const control = await service.call(endpoint, bearer(older));
    judge.admitted(control, 'EXPIRY-4', reason);
    const useNewer = async (clause: MustId, when: string): Promise<void> =>
      judge.admitted(await service.call(endpoint, bearer(newer)), clause, when);
    await useNewer('TOKEN-4', 'the token was made a moment ago');
    await clock.until(older.madeAt + lifetime);
    const answer = await service.call(endpoint, bearer(older));
    judge.refused(answer, 'EXPIRY-4', { control, reason });
    await useNewer('EXPIRY-4', 'an older token has just expired');
    await clock.pass(hours(23));
    await useNewer('EXPIRY-4', 'an older token expired 23 hours ago');
  },
};
