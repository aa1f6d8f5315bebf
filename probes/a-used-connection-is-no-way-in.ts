import { bearer, type Service } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';
import { madeUpLike } from '../contract/token-form.ts';

/**
 * The guard must judge each request. If it caches its verdict by connection, the verdict applies to every client that
 * shares the connection behind a proxy.
 */
export const aUsedConnectionIsNoWayIn: Probe = {
  name: 'a-used-connection-is-no-way-in',
  clauses: ['BEARER-1', 'BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const { how, secret } = madeUpLike(token.secret);
    const madeUp: CallOptions = { authorization: seal`Bearer ${secret}` };
    const control = await service.call(endpoint, bearer(token));
    judge.admitted(control, 'BEARER-1');
    const refuse = async (kept: Service, before: string): Promise<void> => {
      const reason = `${before} went before it on the same connection`;
      judge.refused(await kept.call(endpoint), 'BEARER-2', { control, reason });
      const forged = await kept.call(endpoint, madeUp);
      const both = `the token is ${how}, and ${reason}`;
      judge.refused(forged, 'BEARER-3', { control, reason: both });
    };
    await service.connection(async (kept) => {
      judge.admitted(await kept.call(endpoint, bearer(token)), 'BEARER-1');
      await refuse(kept, 'an authorised request');
    });
    await service.connection(async (kept) => {
      await kept.call(endpoint);
      await refuse(kept, 'a refused request');
      await refuse(kept, 'a made-up token');
      const answer = await kept.call(endpoint, bearer(token));
      judge.admitted(answer, 'BEARER-1', 'a refused request went before it on the same connection');
    });
  },
};
