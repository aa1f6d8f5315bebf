import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secret.ts';
import { bearer } from '../contract/service.ts';

/** A store with a bound forgets its oldest token when one too many is made. */
export const aHundredTokensLiveAtOnce: Probe = {
  name: 'a-hundred-tokens-live-at-once',
  clauses: ['EXPIRY-4'],
  once: true,
  order: 'last',
  async run({ service, account, endpoint, judge }) {
    const tokens: Token[] = [];
    for (let batch = 0; batch < 10; batch++)
      tokens.push(...(await Promise.all(Array.from({ length: 10 }, () => service.issue(account)))));
    for (const token of [...tokens.slice(0, 10), ...tokens.slice(45, 55), ...tokens.slice(-5)])
      judge.admitted(
        await service.call(endpoint, bearer(token)),
        'EXPIRY-4',
        'a hundred tokens were made',
      );
  },
};
