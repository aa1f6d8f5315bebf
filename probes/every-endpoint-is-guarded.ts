import { spoilt } from '../contract/attempts/tokens.ts';
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
    const reason = 'the scheme is Basic';
    await contract.refuses(under('Basic', token), 'BEARER-4', { control, reason });
    const { how, token: other } = spoilt(token);
    await contract.refuses(bearer(other), 'BEARER-3', { control, reason: `the token is ${how}` });
  },
};
