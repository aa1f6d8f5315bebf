import { otherTypes } from '../contract/attacks/credential-forms.ts';
import { grantsNothing } from '../contract/attacks/grants.ts';
import type { Probe } from '../contract/probe.ts';
import { type Account, seal } from '../contract/secrets/secret.ts';

/** A loose comparison takes true, an array with one text, or the bytes of a text for the right text. */
export const aFieldOfAnotherTypeGetsNoToken: Probe = {
  name: 'a-field-of-another-type-gets-no-token',
  clauses: ['TOKEN-3'],
  intrusive: true,
  once: true,
  async run(world) {
    const { service, account } = world;
    const spoil = async (field: keyof Account): Promise<void> => {
      for (const [kind, value] of otherTypes) {
        const json = (half: keyof Account) =>
          account[half].derive((text) => JSON.stringify(half === field ? value(text) : text));
        const text = seal`{"apiKey":${json('apiKey')},"secretKey":${json('secretKey')}}`;
        const answer = await service.exchange({ type: 'application/json', text });
        await grantsNothing(world, answer, 'TOKEN-3', `${field} is ${kind}`);
      }
    };
    await Promise.all([spoil('apiKey'), spoil('secretKey')]);
  },
};
