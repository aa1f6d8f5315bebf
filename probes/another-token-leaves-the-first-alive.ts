import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { clauseOfEnd } from '../contract/time/token-age.ts';

/** Several processes of one caller share its credentials: each of them requests its own tokens. */
export const anotherTokenLeavesTheFirstAlive: Probe = {
  name: 'another-token-leaves-the-first-alive',
  clauses: ['EXPIRY-4'],
  scope: 'service',
  stage: 'first',
  everySeconds: 600,
  async run(world) {
    const { service, account, contract } = world;
    const first = await service.issue(account);
    // If a token's own use ends it, these two uses show that before there is another token.
    for (const reason of ['the token is valid', 'it is its second use']) {
      const used = await contract.admits(bearer(first), 'BEARER-1', reason);
      if (used.status === 401) return;
    }
    let newest = first;
    for (let made = 0; made < newer; made++) newest = await service.issue(account);
    const clause = () => clauseOfEnd(world, first, 'EXPIRY-4');
    await contract.admits(bearer(first), clause, 'other tokens were made after it');
    await contract.admits(bearer(newest), 'BEARER-1', 'it is the newest token');
  },
};

/**
 * One of several servers may invalidate the tokens of the others, and each new token may come from another
 * server.
 */
const newer = 4;
