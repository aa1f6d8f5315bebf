import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { basic, bearer } from '../contract/service.ts';

/**
 * The key and the secret are for the token endpoint. A service that takes them elsewhere makes them travel with every
 * request.
 */
export const theCredentialsOpenNoEndpoint: Probe = {
  name: 'the-credentials-open-no-endpoint',
  clauses: ['BEARER-5'],
  async run({ service, account: { apiKey, secretKey }, endpoint, judge }) {
    const unlike = await service.call(endpoint, bearer(await service.issue({ apiKey, secretKey })));
    judge.admitted(unlike, 'BEARER-1');
    const pair = basic(seal`${apiKey}:${secretKey}`);
    const inHeader = { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) };
    for (const [because, ask] of [
      ['the API key is the token', { authorization: seal`Bearer ${inHeader.apiKey}` }],
      ['the secret key is the token', { authorization: seal`Bearer ${inHeader.secretKey}` }],
      [
        'key and secret, as Basic has them, are the token',
        { authorization: seal`Bearer ${pair.conceals}` },
      ],
      ['key and secret are Basic credentials', pair],
      ['the API key alone is Basic credentials', basic(seal`${apiKey}:`)],
      ['the API key is in the header X-Api-Key', { headers: { 'X-Api-Key': inHeader.apiKey } }],
      ['the API key has a scheme of its own', { authorization: seal`ApiKey ${inHeader.apiKey}` }],
      [
        'key and secret are in headers',
        {
          headers: {
            'X-Api-Key': inHeader.apiKey,
            'X-Secret-Key': inHeader.secretKey,
            'X-Api-Secret': inHeader.secretKey,
            apiKey: inHeader.apiKey,
            secretKey: inHeader.secretKey,
          },
        },
      ],
    ] as const)
      judge.refused(await service.call(endpoint, ask), 'BEARER-5', { unlike, because });
  },
};
