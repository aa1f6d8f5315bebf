import type { ApiClientOptions } from '../http/client.ts';
import type { PaceOptions } from '../http/pace.ts';
import { type Endpoint, hasBody } from '../http/request.ts';
import type { KnownDeviation } from '../known.ts';
import { needsClock, type Probe } from '../probe.ts';
import type { Account } from '../secrets/secret.ts';
import type { SettableClock } from '../time/clock.ts';
import { type ProbeResult, reportedEndpoint } from './attempt.ts';

/** How much a round tries: `quick` the most telling of it, `deep` the deep probes on every endpoint. */
export type Level = 'quick' | 'default' | 'deep';

/** A provider to be judged, and how. */
export interface Target
  extends Pick<ApiClientOptions, 'account' | 'connection' | 'exchange'>,
    Pick<PaceOptions, 'maxRetryAfterMs' | 'onWait' | 'requestsPerSecond' | 'tokensPerSecond'> {
  /** Another account, for wrong credentials. */
  readonly secondAccount?: Account;
  /** How many wrong secrets are sent with the right key; by default all forms. */
  readonly wrongCredentials?: number;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly clock?: SettableClock;
  /** How many requests are in flight at once; with 1 the probes also run one at a time. */
  readonly concurrency: number;
  readonly level?: Level;
  /** Clauses that are neither judged nor reported. */
  readonly excluded?: ReadonlySet<string>;
  readonly maxTimeMs?: number;
  /** Deviations that do not count. */
  readonly known?: readonly KnownDeviation[];
}

/**
 * The endpoints on which a probe runs. Deep probes send hundreds of requests, so they run on the first endpoint that
 * changes nothing, and where the owner says so. Probes that run once have that endpoint, and so have those of a quick
 * round that need simulated time.
 */
export function endpointsFor<One extends Endpoint>(
  probe: Pick<Probe, 'scope' | 'stage'>,
  { endpoints, level }: { endpoints: readonly [One, ...One[]]; level?: Level },
): readonly One[] {
  const reads = endpoints.find(({ method }) => method === 'GET');
  const first = reads ?? endpoints.find(hasBody) ?? endpoints[0];
  const isOnce = probe.scope === 'service' || (level === 'quick' && needsClock(probe));
  if (isOnce) return [first];
  if (probe.scope === 'core' || level === 'deep') return endpoints;
  return endpoints.filter((endpoint) => endpoint === first || endpoint.deep === true);
}

/** A probe that is due on one endpoint, or once. */
export interface DueRun {
  readonly probe: Probe;
  readonly to: Endpoint;
  /** As results name it. */
  readonly endpoint: string;
}

/** With its result; undefined if it could not run. */
export interface Run extends DueRun {
  readonly result: PromiseWithResolvers<ProbeResult | undefined>;
}

/** The runs of probes, in the order of the probes and endpoints. */
export const dueRuns = (
  probes: readonly Probe[],
  target: Pick<Target, 'endpoints' | 'level'>,
): DueRun[] =>
  probes.flatMap((probe) =>
    endpointsFor(probe, target).map((to) => ({ probe, to, endpoint: reportedEndpoint(probe, to) })),
  );

const ranks = { core: 0, service: 1, deep: 2 };

/** Sorts the most valuable runs first: what every endpoint must do. */
export const byValue = (a: DueRun, b: DueRun): number =>
  ranks[a.probe.scope] - ranks[b.probe.scope];
