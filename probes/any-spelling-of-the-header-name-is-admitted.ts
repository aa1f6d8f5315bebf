import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secrets/secret.ts';

/** Header names are case-insensitive (RFC 9110 5.1), and HTTP/2 sends them in lower case (RFC 9113 8.2). */
export const anySpellingOfTheHeaderNameIsAdmitted: Probe = {
  name: 'any-spelling-of-the-header-name-is-admitted',
  clauses: ['BEARER-1'],
  scope: 'deep',
  stage: 'present',
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const authorised = await service.call(endpoint, bearer(token));
    judge.admitted(authorised, 'BEARER-1');
    if (authorised.status === 401) return;
    for (const name of ['authorization', 'AUTHORIZATION']) {
      const headers = { [name]: seal`Bearer ${token.secret}` };
      const answer = await service.call(endpoint, { headers, token });
      judge.admitted(answer, 'BEARER-1', `the token is valid, and the header's name is ${name}`);
    }
  },
};
