import {
  answerTo,
  grantsNothing,
  possibleTokens,
  renewalsWith,
} from '../contract/attacks/grants.ts';
import { basic } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/**
 * The two fields must be in the body, even if the right texts are elsewhere in the request, or if a valid token or a
 * refresh token is there. The query is not tried: logs store it, and the secret key must not be stored (CALLER-2).
 */
export const credentialsOutsideTheBodyGetNoToken: Probe = {
  name: 'credentials-outside-the-body-get-no-token',
  clauses: ['TOKEN-3'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { apiKey, secretKey } = world.account;
    const headers = { apiKey: apiKey.derive(encodeURI), secretKey: secretKey.derive(encodeURI) };
    const places: readonly (readonly [string, CallOptions])[] = [
      ['Basic credentials', { authorization: basic(seal`${apiKey}:${secretKey}`) }],
      ['headers', { headers }],
    ];
    for (const [place, options] of places) {
      const answer = await answerTo(world, { json: {} }, options);
      await grantsNothing(world, answer, 'TOKEN-3', `the fields are absent, and in ${place}`);
    }
    const given = possibleTokens(await world.service.exchange({ json: world.account }), 'itself');
    for (const secret of given.slice(0, mostGiven))
      for (const [how, { body, ...options }] of renewalsWith(secret)) {
        const answer = await answerTo(world, body, options);
        const reason = `the fields are absent, and a text of an earlier answer is ${how}`;
        await grantsNothing(world, answer, 'TOKEN-3', reason, given);
      }
  },
};

/** A token, a refresh token, and one or two texts that only look like them. */
const mostGiven = 4;
