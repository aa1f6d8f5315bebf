import { bearer } from '../contract/http/client.ts';
import { Unreachable } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';

/**
 * A store with a limit drops its oldest token when a new one exceeds it. Limits above this number are not detected:
 * account servers often limit an account to a few thousand tokens a day.
 */
const count = 65;
/** OPEN-8: where a rate limit allows no more, this number is enough. */
const fewest = 25;

export const manyTokensLiveAtOnce: Probe = {
  name: 'many-tokens-live-at-once',
  clauses: ['EXPIRY-4'],
  scope: 'service',
  stage: 'disturbing',
  async run({ service, account, contract }) {
    const tokens: Token[] = [];
    let limited = false;
    const due = Array.from({ length: count - 1 }, () => service.issue(account));
    for (const made of await Promise.allSettled(due))
      if (made.status === 'fulfilled') tokens.push(made.value);
      else if (made.reason instanceof Unreachable && made.reason.reason === 'rate-limited')
        limited = true;
      else throw made.reason;
    // The newest, because it is requested alone: no newer one can have ended it. If it is refused, that may be why
    // others are refused too.
    if (!limited) tokens.push(await service.issue(account));
    if (tokens.length < fewest)
      contract.unproven(`the rate limit let no more than ${tokens.length} tokens be made`);
    for (const [index, token] of [tokens.at(-1), tokens[0], tokens[1]].entries()) {
      if (token === undefined) continue;
      const clause = index === 0 && !limited ? 'TOKEN-4' : 'EXPIRY-4';
      await contract.admits(bearer(token), clause, `${tokens.length} tokens were made`);
    }
  },
};
