import { grantsNothing } from '../contract/grants.ts';
import type { Probe } from '../contract/probe.ts';

/** A secret that reaches a query as a pattern, a piece of SQL or an operator matches without being known. */
export const patternsGetNoToken: Probe = {
  name: 'patterns-get-no-token',
  clauses: ['TOKEN-2'],
  intrusive: true,
  once: true,
  async run(world) {
    const { service, account } = world;
    const tryAll = async (inBoth: boolean): Promise<void> => {
      for (const pattern of patterns) {
        const json = { apiKey: inBoth ? pattern : account.apiKey, secretKey: pattern };
        const because = `${inBoth ? 'both fields are' : 'secretKey is'} the pattern ${JSON.stringify(pattern)}`;
        await grantsNothing(world, await service.exchange({ json }), 'TOKEN-2', because);
      }
    };
    await Promise.all([tryAll(false), tryAll(true)]);
  },
};

const patterns = [
  '*',
  '%',
  '.*',
  "' OR '1'='1",
  "' OR 1=1 -- ",
  { $ne: '' },
  { $gt: '' },
  { $regex: '.*' },
  { $exists: true },
];
