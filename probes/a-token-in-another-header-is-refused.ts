import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { bearer } from '../contract/service.ts';

/** Gateways and frameworks read tokens out of many headers; here one header counts. */
export const aTokenInAnotherHeaderIsRefused: Probe = {
  name: 'a-token-in-another-header-is-refused',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    for (const name of names) {
      const headers = {
        [name]: name.endsWith('Authorization') ? seal`Bearer ${token.secret}` : token.secret,
      };
      const contrast = { unlike, because: `the token is in the header ${name}` };
      judge.refused(await service.call(endpoint, { headers, token }), 'BEARER-2', contrast);
    }
  },
};

const names = [
  'X-Access-Token',
  'X-Auth-Token',
  'X-Api-Token',
  'X-Token',
  'X-Api-Key',
  'Access-Token',
  'Token',
  'Authentication',
  'X-Authorization',
  'X-Forwarded-Authorization',
  'Proxy-Authorization',
];
