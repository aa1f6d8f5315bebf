import { bearer } from '../contract/http/client.ts';
import type { Endpoint } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Neither sequential nor concurrent requests use up a token, not even a hundred of them. The endpoints take turns; one
 * that refuses a new token is left to other probes.
 */
export const aTokenIsGoodForManyUses: Probe = {
  name: 'a-token-is-good-for-many-uses',
  clauses: ['BEARER-1'],
  scope: 'service',
  stage: 'present',
  async run({ service, account, endpoints, judge }) {
    const token = await service.issue(account);
    const use = (endpoint: Endpoint) => service.call(endpoint, bearer(token));
    const open: Endpoint[] = [];
    for (const endpoint of endpoints) if ((await use(endpoint)).status !== 401) open.push(endpoint);
    const turns = (count: number): readonly Endpoint[] =>
      Array.from({ length: count }, () => open)
        .flat()
        .slice(0, count);
    for (const [index, endpoint] of turns(sequential).entries()) {
      const reason = `it was used ${open.length + index} times before`;
      judge.admitted(await use(endpoint), 'BEARER-1', reason);
    }
    const least = open.length + sequential;
    for (let before = least; before <= Math.max(100, least); before += together) {
      const reason = `it is one of ${together} uses at once, after ${before} others`;
      for (const answer of await Promise.all(turns(together).map(use)))
        judge.admitted(answer, 'BEARER-1', reason);
    }
  },
};

const sequential = 9;
const together = 23;
