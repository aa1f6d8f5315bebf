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
    for (const pattern of patterns) {
      const because = `a field is the pattern ${JSON.stringify(pattern)}`;
      for (const json of [
        { apiKey: account.apiKey, secretKey: pattern },
        { apiKey: pattern, secretKey: pattern },
      ])
        await grantsNothing(world, await service.exchange({ json }), 'TOKEN-2', because);
    }
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
