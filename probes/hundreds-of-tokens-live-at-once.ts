import { bearer } from '../contract/http/client.ts';
import { Unreachable } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';

/**
 * A store with a limit drops its oldest token when a new one exceeds it. Limits above this number are not
 * detected: a thousand tokens are more requests than all other probes need.
 */
const count = 257;
/** OPEN-8: where a rate limit allows no more, this number is enough. */
const fewest = 100;
/** How many tokens are requested concurrently. */
const together = 32;

export const hundredsOfTokensLiveAtOnce: Probe = {
  name: 'hundreds-of-tokens-live-at-once',
  clauses: ['EXPIRY-4'],
  scope: 'service',
  stage: 'disturbing',
  async run({ service, account, endpoint, judge }) {
    const tokens: Token[] = [];
    let limited = false;
    while (tokens.length < count && !limited) {
      const due = Math.min(together, count - tokens.length);
      const made = await Promise.allSettled(
        Array.from({ length: due }, () => service.issue(account)),
      );
      for (const one of made)
        if (one.status === 'fulfilled') tokens.push(one.value);
        else if (isRateLimit(one.reason)) limited = true;
        else throw one.reason;
    }
    if (tokens.length < fewest)
      judge.unproven(`the rate limit let no more than ${tokens.length} tokens be made`);
    // No newer token can have ended the newest, which was requested alone unless there is a rate limit. If it is
    // refused, that may be why others are refused too.
    const newestFirst = [
      ...tokens.slice(-2).reverse(),
      ...tokens.slice(128, 129),
      ...tokens.slice(0, 2),
    ];
    const use = (token: Token) => service.call(endpoint, bearer(token));
    const answers = await Promise.all(newestFirst.map(use));
    for (const [index, answer] of answers.entries()) {
      const clause = index === 0 && !limited ? 'TOKEN-4' : 'EXPIRY-4';
      judge.admitted(answer, clause, `${tokens.length} tokens were made`);
    }
  },
};

const isRateLimit = (error: unknown): boolean =>
  error instanceof Unreachable && error.reason === 'rate-limited';
