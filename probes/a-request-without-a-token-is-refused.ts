import { bearer } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';

/** No header, or only the scheme without a token. */
export const aRequestWithoutATokenIsRefused: Probe = {
  name: 'a-request-without-a-token-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const control = await service.call(endpoint, bearer(await service.issue(account)));
    judge.admitted(control, 'BEARER-1');
    for (const [reason, options] of requests) {
      const answer = await service.call(endpoint, options);
      judge.refused(answer, 'BEARER-2', { control, reason });
    }
  },
};

const requests: readonly (readonly [reason: string, options: CallOptions])[] = [
  ['there is no Authorization header', {}],
  ['the Authorization header is empty', { authorization: '' }],
  ['nothing follows the scheme', { authorization: 'Bearer' }],
  ['only blanks follow the scheme', { authorization: 'Bearer  ' }],
];
