import type { Answer } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** No header, or only the scheme without a token. */
export const aRequestWithoutATokenIsRefused: Probe = {
  name: 'a-request-without-a-token-is-refused',
  clauses: ['BEARER-2'],
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const control = await service.call(endpoint, bearer(await service.issue(account)));
    judge.admitted(control, 'BEARER-1');
    const refused = (answer: Answer, reason: string): void =>
      judge.refused(answer, 'BEARER-2', { control, reason });
    refused(await service.call(endpoint), 'there is no Authorization header');
    refused(
      await service.call(endpoint, { authorization: '' }),
      'the Authorization header is empty',
    );
    refused(
      await service.call(endpoint, { authorization: 'Bearer' }),
      'nothing follows the scheme',
    );
    refused(
      await service.call(endpoint, { authorization: 'Bearer  ' }),
      'only blanks follow the scheme',
    );
  },
};
