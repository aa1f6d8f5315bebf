import { unsetPairs } from '../contract/credential-forms.ts';
import { grantsNothing } from '../contract/grants.ts';
import type { Probe } from '../contract/probe.ts';

/** One of the fields alone, or the right texts under other names, are not the two required fields. */
export const aMissingFieldGetsNoToken: Probe = {
  name: 'a-missing-field-gets-no-token',
  clauses: ['TOKEN-3'],
  intrusive: true,
  once: true,
  async run(world) {
    const { service, account } = world;
    const { apiKey, secretKey } = account;
    for (const { how, json } of [
      ...unsetPairs(account),
      { how: 'the fields are in snake case', json: { api_key: apiKey, secret_key: secretKey } },
      { how: 'the fields are called key and secret', json: { key: apiKey, secret: secretKey } },
      { how: 'secretKey is misnamed', json: { apiKey, secret: secretKey } },
      { how: 'the fields are one level deeper', json: { data: { apiKey, secretKey } } },
    ])
      await grantsNothing(world, await service.exchange({ json }), 'TOKEN-3', how);
  },
};
