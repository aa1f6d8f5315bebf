import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** Neither sequential nor concurrent requests use up a token. */
export const aTokenIsGoodForManyUses: Probe = {
  name: 'a-token-is-good-for-many-uses',
  clauses: ['BEARER-1'],
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    for (let use = 1; use <= 10; use++)
      judge.admitted(
        await service.call(endpoint, bearer(token)),
        'BEARER-1',
        `it is use ${use} of the token`,
      );
    const concurrency = Array.from({ length: 20 }, () => service.call(endpoint, bearer(token)));
    for (const answer of await Promise.all(concurrency))
      judge.admitted(answer, 'BEARER-1', 'it is one of twenty uses at once');
  },
};
