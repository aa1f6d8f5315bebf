import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * All refusals are compared with this. A store that is written with a delay, or a clock ahead of the verifier's,
 * refuses a token that is a moment old. An endpoint that is open to everybody shows nothing of its token.
 */
export const aTokenOpensTheEndpoint: Probe = {
  name: 'a-token-opens-the-endpoint',
  clauses: ['TOKEN-4', 'BEARER-1'],
  scope: 'core',
  stage: 'first',
  quick: true,
  opensConnection: true,
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, contract }) {
    const token = await service.issue(account);
    await contract.admits(bearer(token), ['TOKEN-4', 'BEARER-1']);
    await contract.missing();
  },
};
