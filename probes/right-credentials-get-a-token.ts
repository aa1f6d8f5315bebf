import type { Probe } from '../contract/probe.ts';

/** The whole envelope is judged here, once; the other probes use only the token. */
export const rightCredentialsGetAToken: Probe = {
  name: 'right-credentials-get-a-token',
  clauses: ['TOKEN-1'],
  scope: 'service',
  stage: 'first',
  everySeconds: 60,
  async run({ service, account: { apiKey, secretKey }, judge }) {
    judge.issued(await service.exchange({ json: { apiKey, secretKey } }));
  },
};
