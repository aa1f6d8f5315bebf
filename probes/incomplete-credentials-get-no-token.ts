import type { CredentialAttempt } from '../contract/attempts/credentials.ts';
import { incompleteCredentials, renewalsWith } from '../contract/attempts/credentials.ts';
import { getNoToken, possibleTokens } from '../contract/attempts/grants.ts';
import { NoToken } from '../contract/http/client.ts';
import { tokenEndpoint } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { tokenOf } from '../contract/schema.ts';

/**
 * Both fields must be texts in the body. A loose comparison treats true, an array with one text, or the bytes of a text
 * as equal to the right text. The right texts elsewhere in the request, a valid token or a refresh token do not replace
 * them.
 */
export const incompleteCredentialsGetNoToken: Probe = {
  name: 'incomplete-credentials-get-no-token',
  clauses: ['TOKEN-3'],
  scope: 'service',
  stage: 'wrong-credentials',
  quick: true,
  async run(world) {
    const { account, contract, quick } = world;
    const { answer } = await contract.send({ to: tokenEndpoint, body: { json: account } });
    const token = tokenOf(answer);
    if (token === undefined) throw new NoToken(answer);
    const all = incompleteCredentials(account);
    await getNoToken(world, quick ? all.filter(isPlain).slice(0, 1) : all, 'TOKEN-3', token);
    if (quick) return;
    const given = possibleTokens(answer, 'itself');
    const renewals = given
      .slice(0, mostGiven)
      .flatMap(renewalsWith)
      .map(([how, options]): CredentialAttempt => {
        return [`the fields are absent, and a text of an earlier answer is ${how}`, options];
      });
    await getNoToken(world, renewals, 'TOKEN-3', token, given);
  },
};

/** A token, a refresh token, and one or two texts that only look like them. */
const mostGiven = 4;

const isPlain = ([description]: CredentialAttempt): boolean =>
  description === 'secretKey is absent';
