import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** No header, or only the scheme without a token. */
export const aRequestWithoutATokenIsRefused: Probe = {
  name: 'a-request-without-a-token-is-refused',
  clauses: ['BEARER-2'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, contract }) {
    const control = await contract.admits(bearer(await service.issue(account)), 'BEARER-1');
    for (const [reason, authorization] of [
      ['there is no Authorization header', undefined],
      ['the Authorization header is empty', ''],
      ['nothing follows the scheme', 'Bearer'],
      ['only blanks follow the scheme', 'Bearer  '],
    ] as const)
      await contract.refuses({ authorization }, 'BEARER-2', { control, reason });
  },
};
