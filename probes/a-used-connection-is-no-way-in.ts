import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** A verdict belongs to a request. One that is remembered by connection passes to whoever shares it behind a proxy. */
export const aUsedConnectionIsNoWayIn: Probe = {
  name: 'a-used-connection-is-no-way-in',
  clauses: ['BEARER-1', 'BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    await service.connection(async (kept) => {
      const unlike = await kept.call(endpoint, bearer(token));
      judge.admitted(unlike, 'BEARER-1');
      const contrast = {
        unlike,
        because: 'an authorised request went before it on the same connection',
      };
      judge.refused(await kept.call(endpoint), 'BEARER-2', contrast);
    });
    await service.connection(async (kept) => {
      await kept.call(endpoint);
      const answer = await kept.call(endpoint, bearer(token));
      judge.admitted(answer, 'BEARER-1', 'a refused request went before it on the same connection');
    });
  },
};
