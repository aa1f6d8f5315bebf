import { endpointName, hasBody } from '../contract/http/request.ts';
import { difference } from '../contract/judge/sameness.ts';
import type { Probe } from '../contract/probe.ts';

/** One guard for all endpoints and methods gives one answer; different answers come from duplicated code. */
export const everyEndpointGetsTheSame401: Probe = {
  name: 'every-endpoint-gets-the-same-401',
  clauses: ['ERROR-4'],
  scope: 'service',
  stage: 'present',
  everySeconds: 300,
  async run({ endpoint, endpoints, contract }) {
    const [first = endpoint, ...others] = endpoints.filter(hasBody);
    // With one endpoint there is nothing to compare, but a run without a request would pass in an outage.
    if (others.length === 0 && (await contract.missing({ to: first })) === undefined)
      await contract.send({ to: first });
    for (const to of others) {
      const unequal = await difference(
        () => contract.missing({ to: first }),
        () => contract.missing({ to }),
        'names',
      );
      if (unequal === undefined) continue;
      contract.violated('ERROR-4', unequal.answer, {
        reason: `the endpoint is ${endpointName(to)}`,
        expected: `the same answer as at ${endpointName(first)}`,
        received: unequal.message,
      });
    }
  },
};
