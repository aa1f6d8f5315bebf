import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';
import { isJwt, resigned } from '../contract/token-form.ts';

/** A key that stands in tutorials, or that every client has, signs anything. Other tokens are not signed. */
export const aReSignedJwtIsRefused: Probe = {
  name: 'a-re-signed-jwt-is-refused',
  clauses: ['BEARER-3'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    if (!isJwt(token.secret)) return;
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    const forgeries = [
      ...wellKnown.map((key) =>
        resigned(token.secret, key, `signed again with the key ${JSON.stringify(key)}`),
      ),
      resigned(token.secret, account.apiKey, 'signed again with the API key'),
      resigned(token.secret, account.secretKey, 'signed again with the secret key'),
    ];
    for (const { how, secret } of forgeries) {
      const answer = await service.call(endpoint, bearer({ ...token, secret }));
      judge.refused(answer, 'BEARER-3', { unlike, because: `the token is ${how}` });
    }
  },
};

const wellKnown = [
  '',
  'secret',
  'password',
  'changeme',
  'your-256-bit-secret',
  'jwt-secret',
  'key',
  'test',
];
