import { altered } from '../contract/attempts/tokens.ts';
import { bearer, under } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/** What every endpoint must do; the deep probes try the same in all its forms on one of them. */
export const everyEndpointIsGuarded: Probe = {
  name: 'every-endpoint-is-guarded',
  clauses: ['BEARER-1', 'BEARER-2', 'BEARER-3', 'BEARER-4', 'ERROR-1', 'ERROR-2', 'ERROR-3'],
  scope: 'core',
  stage: 'present',
  quick: true,
  everySeconds: 60,
  anyToken: true,
  async run({ service, account, contract }) {
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    await contract.missing({}, { control, reason: 'there is no Authorization header' });
    await contract.refuses(under('Basic', token), 'BEARER-4', {
      control,
      reason: 'the scheme is Basic',
    });
    for (const { how, secret } of altered(token.secret).slice(-1))
      await contract.refuses(bearer({ ...token, secret }), 'BEARER-3', {
        control,
        reason: `the token is ${how}`,
      });
  },
};
