import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * A store that is written with a delay, or a clock ahead of the verifier's, refuses a token that is a moment old.
 */
export const aTokenIsValidAtOnce: Probe = {
  name: 'a-token-is-valid-at-once',
  clauses: ['TOKEN-4'],
  scope: 'core',
  stage: 'first',
  everySeconds: 300,
  async run({ service, account, endpoint, judge }) {
    for (let made = 0; made < 2; made++) {
      const token = await service.issue(account);
      const answer = await service.call(endpoint, bearer(token));
      judge.admitted(answer, 'TOKEN-4', 'the token was made a moment ago');
    }
  },
};
