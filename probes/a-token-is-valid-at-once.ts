import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** A store that is written behind, or a clock that runs ahead of the verifier, refuses a token that is a moment old. */
export const aTokenIsValidAtOnce: Probe = {
  name: 'a-token-is-valid-at-once',
  clauses: ['TOKEN-4'],
  order: 'first',
  everySeconds: 300,
  async run({ service, account, endpoint, judge }) {
    for (let made = 0; made < 2; made++) {
      const token = await service.issue(account);
      judge.admitted(
        await service.call(endpoint, bearer(token)),
        'TOKEN-4',
        'the token was made a moment ago',
      );
    }
  },
};
