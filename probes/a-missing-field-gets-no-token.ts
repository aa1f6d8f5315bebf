import { grantsNothing } from '../contract/grants.ts';
import type { Probe } from '../contract/probe.ts';

/** The right texts under other names, or one of them alone, are not the two required fields. */
export const aMissingFieldGetsNoToken: Probe = {
  name: 'a-missing-field-gets-no-token',
  clauses: ['TOKEN-3'],
  intrusive: true,
  once: true,
  async run(world) {
    const { service, account } = world;
    const { apiKey, secretKey } = account;
    for (const [how, json] of [
      ['the body is an empty object', {}],
      ['apiKey is absent', { secretKey }],
      ['secretKey is absent', { apiKey }],
      ['secretKey is absent, and nobody has the apiKey', { apiKey: 'no-such-key' }],
      ['secretKey is absent, and apiKey is the word constructor', { apiKey: 'constructor' }],
      ['the fields are in small letters', { apikey: apiKey, secretkey: secretKey }],
      ['the fields are in snake case', { api_key: apiKey, secret_key: secretKey }],
      ['the fields are in capitals', { APIKEY: apiKey, SECRETKEY: secretKey }],
      ['the fields are called key and secret', { key: apiKey, secret: secretKey }],
      ['secretKey is misnamed', { apiKey, secret: secretKey }],
      ['the fields are one level deeper', { data: { apiKey, secretKey } }],
    ] as const)
      await grantsNothing(world, await service.exchange({ json }), 'TOKEN-3', how);
  },
};
