import { grantsNothing } from '../contract/grants.ts';
import type { Probe } from '../contract/probe.ts';
import type { Account } from '../contract/secret.ts';

/** A loose comparison finds true, an array of one text, or an empty text equal to the right one. */
export const aFieldOfAnotherTypeGetsNoToken: Probe = {
  name: 'a-field-of-another-type-gets-no-token',
  clauses: ['TOKEN-3'],
  intrusive: true,
  once: true,
  async run(world) {
    const { service, account } = world;
    const spoil = async (field: keyof Account): Promise<void> => {
      const right = account[field];
      for (const [kind, value] of [
        ['null', null],
        ['0', 0],
        ['1', 1],
        ['true', true],
        ['false', false],
        ['an empty string', ''],
        ['an empty array', []],
        ['an array around the right text', [right]],
        ['an empty object', {}],
        ['an object around the right text', { value: right }],
      ]) {
        const answer = await service.exchange({ json: { ...account, [field]: value } });
        await grantsNothing(world, answer, 'TOKEN-3', `${field} is ${kind}`);
      }
    };
    await Promise.all([spoil('apiKey'), spoil('secretKey')]);
  },
};
