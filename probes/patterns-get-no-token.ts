import { ahead } from '../contract/ahead.ts';
import { patterns } from '../contract/attacks/credential-forms.ts';
import { answerTo, grantsNothing } from '../contract/attacks/grants.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/**
 * A text that reaches a query as a pattern, a piece of SQL or an operator matches without knowledge of the
 * credentials.
 */
export const patternsGetNoToken: Probe = {
  name: 'patterns-get-no-token',
  clauses: ['TOKEN-2'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { account } = world;
    const tryAll = async (field: 'apiKey' | 'secretKey'): Promise<void> => {
      const answers = ahead(patterns, (pattern) =>
        answerTo(world, { json: { ...account, [field]: pattern } }),
      );
      for await (const [pattern, answer] of answers) {
        const reason = `${field} is the pattern ${JSON.stringify(pattern)}`;
        await grantsNothing(world, answer, 'TOKEN-2', reason);
      }
    };
    await Promise.all([tryAll('apiKey'), tryAll('secretKey')]);
    const json = { apiKey: seal`${account.apiKey}' -- `, secretKey: 'wrong' };
    const reason = 'the rest of a query is a comment behind apiKey';
    await grantsNothing(world, await answerTo(world, { json }), 'TOKEN-2', reason);
  },
};
