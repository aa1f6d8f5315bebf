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
    // Secrets are taken out of findings, so each header has a name of its own.
    for (const [because, authorization] of [
      ['the header is the token alone', seal`${secret}`],
      ['the token follows the scheme without a blank', seal`Bearer${secret}`],
      ['a colon follows the scheme', seal`Bearer: ${secret}`],
      ['an equals sign stands between scheme and token', seal`Bearer=${secret}`],
      ['the scheme is Bear', seal`Bear ${secret}`],
      ['the scheme is Bearers', seal`Bearers ${secret}`],
      ['the scheme is Baerer', seal`Baerer ${secret}`],
      ['the scheme is Authorization', seal`Authorization ${secret}`],
      ['the scheme is Basic, and Bearer follows it', seal`Basic Bearer ${secret}`],
    ] as const) {
      const answer = await service.call(endpoint, { authorization, token });
      judge.refused(answer, 'BEARER-4', { unlike, because });
    }
  },
};
