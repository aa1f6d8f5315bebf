import type { Probe } from '../contract/probe.ts';
import { seal } from '../contract/secret.ts';
import { bearer } from '../contract/service.ts';

/** A scheme is a word of its own, spelt out, with a blank behind it (RFC 9110 11.4). */
export const aTokenWithoutItsSchemeIsRefused: Probe = {
  name: 'a-token-without-its-scheme-is-refused',
  clauses: ['BEARER-4'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const token = await service.issue(account);
    const unlike = await service.call(endpoint, bearer(token));
    judge.admitted(unlike, 'BEARER-1');
    const { secret } = token;
    for (const authorization of [
      seal`${secret}`,
      seal`Bearer${secret}`,
      seal`Bearer: ${secret}`,
      seal`Bearer=${secret}`,
      seal`Bear ${secret}`,
      seal`Bearers ${secret}`,
      seal`Baerer ${secret}`,
      seal`Authorization ${secret}`,
      seal`Basic Bearer ${secret}`,
    ]) {
      const answer = await service.call(endpoint, { authorization, token });
      judge.refused(answer, 'BEARER-4', { unlike, because: `the header is ${authorization}` });
    }
  },
};
