import { clauseOfEnd } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** Several processes of one caller share its credentials: each of them requests its own tokens. */
export const anotherTokenLeavesTheFirstAlive: Probe = {
  name: 'another-token-leaves-the-first-alive',
  clauses: ['EXPIRY-4'],
  scope: 'service',
  stage: 'first',
  everySeconds: 600,
  async run(world) {
    const { service, account, endpoint, judge } = world;
    const first = await service.issue(account);
    // If a token's own use ends it, these two uses show that before there is another token.
    for (const reason of ['the token is valid', 'it is its second use']) {
      const used = await service.call(endpoint, bearer(first));
      judge.admitted(used, 'BEARER-1', reason);
      if (used.status === 401) return;
    }
    let newest = first;
    for (let made = 0; made < newer; made++) newest = await service.issue(account);
    const answer = await service.call(endpoint, bearer(first));
    const clause = await clauseOfEnd(world, answer, first, 'EXPIRY-4');
    judge.admitted(answer, clause, 'other tokens were made after it');
    const last = await service.call(endpoint, bearer(newest));
    judge.admitted(last, 'BEARER-1', 'it is the newest token');
  },
};

/**
 * One of several servers may invalidate the tokens of the others, and each new token may come from another
 * server.
 */
const newer = 5;
