import { unsetPairs } from '../contract/credential-forms.ts';
import { grantsNothing } from '../contract/grants.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { type Ask, basic, tokenPath } from '../contract/service.ts';

/** One of the fields alone, or the right texts under other names or in other places, are not the two required fields. */
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
    const parameter = (text: string): string => encodeURIComponent(text);
    const elsewhere: readonly (readonly [string, Ask])[] = [
      ['Basic credentials', basic(seal`${apiKey}:${secretKey}`)],
      [
        'headers',
        { headers: { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) } },
      ],
      [
        'the query',
        {
          query: seal`apiKey=${apiKey.derive(parameter)}&secretKey=${secretKey.derive(parameter)}`,
        },
      ],
    ];
    for (const [place, ask] of elsewhere) {
      const to = { method: 'POST', path: tokenPath };
      const answer = await service.call(to, { ...ask, body: { json: {} } });
      await grantsNothing(world, answer, 'TOKEN-3', `the fields are absent, and in ${place}`);
    }
  },
};
