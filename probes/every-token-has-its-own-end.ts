import { noNewToken } from '../contract/end-of-token.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { hours, lifetime, seconds } from '../contract/time/clock.ts';

/** Made a second, an hour and half a day apart, they end a second, an hour and half a day apart. */
export const everyTokenHasItsOwnEnd: Probe = {
  name: 'every-token-has-its-own-end',
  clauses: ['EXPIRY-4'],
  scope: 'deep',
  stage: 'simulated',
  async run({ service, account, endpoint, judge, clock }) {
    const start = clock.now();
    const tokens: Token[] = [];
    for (const offset of [0, seconds(1), hours(1), hours(12)]) {
      await clock.until(start + offset);
      const token = await service.issue(account);
      if (token.issuedBefore !== true) tokens.push(token);
    }
    if (tokens.length < 2) return judge.unproven(noNewToken);
    const reason = 'other tokens were made before and after it';
    for (const token of tokens) {
      await clock.until(token.madeAt + lifetime - 1);
      const control = await service.call(endpoint, bearer(token));
      judge.admitted(control, 'EXPIRY-4', reason);
      await clock.until(token.madeAt + lifetime);
      const answer = await service.call(endpoint, bearer(token));
      judge.refused(answer, 'EXPIRY-4', { control, reason });
    }
  },
};
