import { type Endpoint, mainEndpoint } from '../http/request.ts';
import type { Probe } from '../probe.ts';

/** How much a round tries: `deep` runs the deep probes on every endpoint. */
export type Level = 'default' | 'deep';

/**
 * The endpoints on which a probe runs. Deep probes send hundreds of requests, some of which may be let in: so they run
 * on the first endpoint that changes nothing, and on those whose owner says so.
 */
export function endpointsFor<One extends Endpoint>(
  { scope }: Pick<Probe, 'scope'>,
  endpoints: readonly [One, ...One[]],
  level: Level = 'default',
): readonly One[] {
  if (scope === 'service') return [mainEndpoint(endpoints)];
  if (scope === 'core' || level === 'deep') return endpoints;
  const first = endpoints.find(({ method }) => method === 'GET') ?? mainEndpoint(endpoints);
  return endpoints.filter((endpoint) => endpoint === first || endpoint.deep === true);
}
