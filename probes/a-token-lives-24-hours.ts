import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { lifetime } from '../contract/time/clock.ts';
import { issueToken, untilAge } from '../contract/time/token-age.ts';

/** All callers plan their renewals by this: the last millisecond and the very end, on every endpoint. */
export const aTokenLives24Hours: Probe = {
  name: 'a-token-lives-24-hours',
  clauses: ['EXPIRY-1', 'EXPIRY-2'],
  scope: 'core',
  stage: 'simulated',
  quick: true,
  async run(world) {
    const { contract, clock } = world;
    const token = await issueToken(world);
    await untilAge(clock, token, lifetime - 1);
    const early = 'its 24 hours have not elapsed';
    const control = await contract.admits(bearer(token), 'EXPIRY-1', early);
    await untilAge(clock, token, lifetime);
    const reason = 'its 24 hours have elapsed';
    const answer = await contract.refuses(bearer(token), 'EXPIRY-2', { control, reason });
    if (answer.status !== 401) await contract.missing();
  },
};
