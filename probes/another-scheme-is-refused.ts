import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { basic, bearer, under } from '../contract/service.ts';

/** Bearer alone is the scheme of this API; the token itself is good, so only the scheme can be the cause. */
export const anotherSchemeIsRefused: Probe = {
  name: 'another-scheme-is-refused',
  clauses: ['BEARER-4'],
  everySeconds: 300,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const scheme of schemes) {
      const answer = await service.call(endpoint, under(scheme, token));
      judge.refused(answer, 'BEARER-4', { unlike, because: `the scheme is ${scheme}` });
    }
    for (const [half, pair] of [
      ['user name', seal`${token.secret}:`],
      ['password', seal`:${token.secret}`],
    ] as const) {
      const answer = await service.call(endpoint, { ...basic(pair), token });
      const because = `the token is the ${half} of Basic credentials`;
      judge.refused(answer, 'BEARER-4', { unlike, because });
    }
  },
};

const schemes = [
  'Basic',
  'Digest',
  'Token',
  'JWT',
  'MAC',
  'OAuth',
  'ApiKey',
  'Key',
  'Negotiate',
  'HOBA',
  'DPoP',
  'GNAP',
  'AWS4-HMAC-SHA256',
];
