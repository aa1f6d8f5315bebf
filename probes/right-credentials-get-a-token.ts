import { tokenBreach } from '../contract/admission.ts';
import { header } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { isObject } from '../contract/json-value.ts';
import type { Probe } from '../contract/probe.ts';
import { inBody, tokenOf } from '../contract/schema.ts';
import { formOf } from '../contract/token-form.ts';

/** The whole envelope is judged here, once; the other probes use only the token. The token is valid at once. */
export const rightCredentialsGetAToken: Probe = {
  name: 'right-credentials-get-a-token',
  clauses: ['TOKEN-1', 'TOKEN-4', 'OPEN-1', 'OPEN-3', 'OPEN-4', 'OPEN-5'],
  scope: 'service',
  stage: 'first',
  quick: true,
  everySeconds: 60,
  async run({ account: { apiKey, secretKey }, contract, clock }) {
    const madeAt = clock.now();
    const answer = await contract.issues({ body: { json: { apiKey, secretKey } } });
    const secret = tokenOf(answer);
    if (secret === undefined || tokenBreach(answer) !== undefined)
      return contract.unproven('no token was issued');
    const names = [inBody(answer), inBody(answer, 'data')].flatMap((part) =>
      isObject(part) ? Object.keys(part) : [],
    );
    const further = names.filter((name) => !known.has(name)).sort();
    const message = String(JSON.stringify(inBody(answer, 'message')));
    const type = header(answer, 'content-type') ?? 'none';
    const caching = header(answer, 'cache-control') ?? 'not said';
    contract.observe('OPEN-1', 'status of a token response', String(answer.status));
    contract.observe('OPEN-3', 'message of a token response', message);
    contract.observe('OPEN-3', 'further fields of a token response', further.join(', ') || 'none');
    contract.observe('OPEN-4', 'form of the token', formOf(secret));
    contract.observe('OPEN-5', 'content type of a token response', type);
    contract.observe('OPEN-5', 'caching of a token response', caching);
    const token = bearer({ secret, madeAt });
    await contract.admits(token, ['TOKEN-4', 'BEARER-1'], 'the token was made a moment ago');
    await contract.missing();
  },
};

const known: ReadonlySet<string> = new Set(['success', 'message', 'data', 'accessToken']);
