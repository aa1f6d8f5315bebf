import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Under load a guard that samples, fails open on a timeout or has a race admits one request in fifty, or refuses
 * valid tokens.
 */
export const aStormOfRefusalsLetsNobodyIn: Probe = {
  name: 'a-storm-of-refusals-lets-nobody-in',
  clauses: ['BEARER-2', 'BEARER-6'],
  scope: 'deep',
  stage: 'disturbing',
  async run({ service, account, contract }) {
    const token = bearer(await service.issue(account));
    const control = await contract.admits(token, 'BEARER-1');
    const storm = await Promise.all(Array.from({ length: 60 }, () => contract.send()));
    const reason = 'it is one of sixty requests at once without a token';
    for (const exchanged of storm)
      await contract.judgeRefusal(exchanged, 'BEARER-2', { control, reason });
    await contract.admits(token, 'BEARER-6', 'sixty refused requests went before');
  },
};
