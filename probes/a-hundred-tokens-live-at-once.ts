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
    while (tokens.length < 100)
      tokens.push(...(await Promise.all(Array.from({ length: 20 }, () => service.issue(account)))));
    const some = [...tokens.slice(0, 10), ...tokens.slice(45, 55), ...tokens.slice(-5)];
    const answers = await Promise.all(some.map((token) => service.call(endpoint, bearer(token))));
    for (const answer of answers) judge.admitted(answer, 'EXPIRY-4', 'a hundred tokens were made');
  },
};
