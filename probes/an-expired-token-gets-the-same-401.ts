import { bearer } from '../contract/http/client.ts';
import { difference, spreadOver } from '../contract/judge/sameness.ts';
import type { Probe } from '../contract/probe.ts';
import { lifetime } from '../contract/time/clock.ts';
import { issueToken, untilAge } from '../contract/time/token-age.ts';

/** Most libraries answer "Token expired" by default; this API does not reveal the cause. */
export const anExpiredTokenGetsTheSame401: Probe = {
  name: 'an-expired-token-gets-the-same-401',
  clauses: ['EXPIRY-2'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, endpoint, contract, clock } = world;
    const token = await issueToken(world);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    await untilAge(clock, token, lifetime);
    const reason = 'the token has expired';
    const expired = () => contract.refuses(bearer(token), 'EXPIRY-2', { control, reason });
    const missing = () => contract.missing({}, { control, reason: 'no token was sent' });
    const spread = spreadOver(service, endpoint, token);
    const unequal = await difference(missing, expired, 'values', spread);
    if (unequal === undefined) return;
    const expected = 'the same answer as to a missing token';
    contract.violated('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
  },
};
