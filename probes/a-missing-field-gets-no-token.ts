import { ahead } from '../contract/ahead.ts';
import { unsetPairs } from '../contract/attacks/credential-forms.ts';
import { answerTo, grantsNothing } from '../contract/attacks/grants.ts';
import type { Probe } from '../contract/probe.ts';

/** One field alone, or the right texts under other names, do not replace the two required fields. */
export const aMissingFieldGetsNoToken: Probe = {
  name: 'a-missing-field-gets-no-token',
  clauses: ['TOKEN-3'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { account } = world;
    const { apiKey, secretKey } = account;
    const unset = unsetPairs(account);
    // One of several servers may not require the secret key.
    const decisive = unset.filter(({ json }) => json.apiKey === apiKey);
    const attempts = [
      ...unset,
      ...decisive,
      ...decisive,
      { how: 'the fields are in snake case', json: { api_key: apiKey, secret_key: secretKey } },
      { how: 'the fields are called key and secret', json: { key: apiKey, secret: secretKey } },
      { how: 'secretKey is misnamed', json: { apiKey, secret: secretKey } },
      { how: 'the fields are one level deeper', json: { data: { apiKey, secretKey } } },
    ];
    const answers = ahead(attempts, ({ json }) => answerTo(world, { json }));
    for await (const [{ how }, answer] of answers)
      await grantsNothing(world, answer, 'TOKEN-3', how);
  },
};
