import { randomUUID } from 'node:crypto';
import { bearer } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { altered } from '../contract/token-form.ts';

/**
 * A guard that caches its verdicts by client, or by a part of the token, admits requests that it never checked. A
 * service that repeats an answer by its Idempotency-Key must ask the guard first.
 */
export const aRememberedVerdictIsNoWayIn: Probe = {
  name: 'a-remembered-verdict-is-no-way-in',
  clauses: ['BEARER-1', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const keyed: CallOptions = { headers: { 'Idempotency-Key': randomUUID() } };
    for (const { how, secret } of altered(token.secret).slice(-1)) {
      const spoilt = bearer({ ...token, secret });
      await service.call(endpoint, spoilt);
      const control = await service.call(endpoint, bearer(token));
      judge.admitted(control, 'BEARER-1', 'a refused request went right before it');
      await service.call(endpoint, { ...bearer(token), ...keyed });
      const reason = `the same token was admitted right before it, and this one is ${how}`;
      const again = await service.call(endpoint, { ...spoilt, ...keyed });
      judge.refused(again, 'BEARER-3', { control, reason });
      const without = await service.call(endpoint, keyed);
      const before = 'an authorised request went right before it';
      judge.refused(without, 'BEARER-2', { control, reason: before });
    }
  },
};
