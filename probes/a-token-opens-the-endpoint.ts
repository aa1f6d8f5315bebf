import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** All refusals are compared with this. */
export const aTokenOpensTheEndpoint: Probe = {
  name: 'a-token-opens-the-endpoint',
  clauses: ['BEARER-1'],
  scope: 'core',
  stage: 'first',
  opensConnection: true,
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    judge.admitted(await service.call(endpoint, bearer(token)), 'BEARER-1');
  },
};
