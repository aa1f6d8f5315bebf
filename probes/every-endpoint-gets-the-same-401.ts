import { type Endpoint, endpointName, hasBody } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { difference } from '../contract/sameness.ts';

/** One guard for all endpoints and methods gives one answer; different answers come from duplicated code. */
export const everyEndpointGetsTheSame401: Probe = {
  name: 'every-endpoint-gets-the-same-401',
  clauses: ['ERROR-4'],
  scope: 'service',
  stage: 'present',
  everySeconds: 300,
  async run({ service, endpoint, endpoints, judge }) {
    const [first = endpoint, ...others] = endpoints.filter(hasBody);
    const refusal = (endpoint: Endpoint) => async () =>
      judge.about401(await service.call(endpoint));
    // With one endpoint there is nothing to compare, but a run without a request would pass in an outage.
    if (others.length === 0) await refusal(first)();
    for (const endpoint of others) {
      const unequal = await difference(refusal(first), refusal(endpoint), 'names');
      if (unequal === undefined) continue;
      const reason = `the endpoint is ${endpointName(endpoint)}`;
      const expected = `the same answer as at ${endpointName(first)}`;
      judge.broken('ERROR-4', unequal.answer, { reason, expected, received: unequal.message });
    }
  },
};
