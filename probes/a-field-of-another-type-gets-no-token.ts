import { ahead } from '../contract/ahead.ts';
import { otherTypes } from '../contract/attacks/credential-forms.ts';
import { answerTo, grantsNothing } from '../contract/attacks/grants.ts';
import type { Probe } from '../contract/probe.ts';
import { type Account, seal } from '../contract/secrets/secret.ts';

/** A loose comparison treats true, an array with one text, or the bytes of a text as equal to the right text. */
export const aFieldOfAnotherTypeGetsNoToken: Probe = {
  name: 'a-field-of-another-type-gets-no-token',
  clauses: ['TOKEN-3'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { account } = world;
    const spoil = async (field: keyof Account): Promise<void> => {
      const answers = ahead(otherTypes, ([, value, how]) => {
        const written = (text: string) => JSON.stringify(value(text));
        const json = (half: keyof Account) => {
          if (half !== field) return account[half].derive((text) => JSON.stringify(text));
          return how === 'disguised'
            ? account[half].disguise(written)
            : account[half].derive(written);
        };
        const text = seal`{"apiKey":${json('apiKey')},"secretKey":${json('secretKey')}}`;
        return answerTo(world, { type: 'application/json', text });
      });
      for await (const [[kind], answer] of answers)
        await grantsNothing(world, answer, 'TOKEN-3', `${field} is ${kind}`);
    };
    await Promise.all([spoil('apiKey'), spoil('secretKey')]);
  },
};
