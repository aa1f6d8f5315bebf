import { type Endpoint, mainEndpoint } from '../http/request.ts';
import { needsClock, type Probe } from '../probe.ts';
import type { Level } from './target.ts';

/**
 * The endpoints on which a probe runs. Deep probes send hundreds of requests, some of which may be let in: so they run
 * on the first endpoint that changes nothing, and on those whose owner says so. A quick round simulates time for that
 * endpoint alone.
 */
export function endpointsFor<One extends Endpoint>(
  probe: Pick<Probe, 'scope' | 'stage'>,
  {
    endpoints,
    level = 'default',
  }: { readonly endpoints: readonly [One, ...One[]]; readonly level?: Level },
): readonly One[] {
  if (probe.scope === 'service') return [mainEndpoint(endpoints)];
  const first = endpoints.find(({ method }) => method === 'GET') ?? mainEndpoint(endpoints);
  if (level === 'quick' && needsClock(probe)) return [first];
  if (probe.scope === 'core' || level === 'deep') return endpoints;
  return endpoints.filter((endpoint) => endpoint === first || endpoint.deep === true);
}
