import { bearer, under } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import { orNothing } from '../contract/http/unreachable.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/** RFC 9110 11.1 compares schemes without regard to case; the contract says "Bearer", and leaves the rest open. */
export const openFactsOfTheScheme: Probe = {
  name: 'open-facts-of-the-scheme',
  clauses: ['OPEN-6'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const good = seal`Bearer ${token.secret}`;
    const requests: readonly (readonly [string, CallOptions])[] = [
      ['bearer in small letters', under('bearer', token)],
      ['BEARER in capitals', under('BEARER', token)],
      ['two blanks after the scheme', under('Bearer ', token)],
      ['a tab after the scheme', { authorization: seal`Bearer\t${token.secret}`, token }],
      [
        'another word after the token',
        { authorization: seal`Bearer ${token.secret} other`, token },
      ],
      ['the right header before another', { authorization: [good, 'Bearer other'], token }],
      ['the right header after another', { authorization: ['Bearer other', good], token }],
      [
        'the right header, and a token in the query',
        { ...bearer(token), query: seal`access_token=${token.secret.derive(encodeURIComponent)}` },
      ],
    ];
    const admitted = await service.call(endpoint, bearer(token));
    const refused = await service.call(endpoint);
    // Such an endpoint does not show whether a header was accepted.
    if (admitted.status === refused.status) return;
    for (const [fact, options] of requests) {
      const answer = await orNothing(service.call(endpoint, options));
      // If the provider is down, this call throws: then nothing is known of the header.
      if (answer === undefined) await service.call(endpoint, bearer(token));
      const result = answer === undefined ? 'no answer' : resultOf(answer.status, admitted.status);
      judge.observe('OPEN-6', fact, result);
    }
  },
};

/** @param admitted the status with a valid token, which may be an error of the endpoint's own */
function resultOf(status: number, admitted: number): string {
  if (status === 401) return 'refused';
  return status === admitted || status < 400 ? 'admitted' : String(status);
}
