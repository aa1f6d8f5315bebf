import type { MustId } from '../clauses.ts';
import { type Endpoint, endpointName, tokenEndpointName } from '../http/request.ts';
import type { Probe } from '../probe.ts';
import { days } from '../time/clock.ts';
import type { ProbeResult } from './attempt.ts';
import type { Target } from './target.ts';

/** A violation of one of these clauses affects every other token. */
const affectsAllTokens: ReadonlySet<MustId> = new Set(['EXPIRY-4', 'BEARER-6']);

/** A violation of one of these affects its endpoint, or every endpoint if it was found at the token endpoint. */
const affectsEndpoint: ReadonlySet<MustId> = new Set(['TOKEN-4', 'BEARER-1']);

const findingsOfFirst = (results: readonly ProbeResult[]) =>
  results.filter(({ probe }) => probe.stage === 'first').flatMap(({ findings }) => findings);

/** Whether runs go one at a time: there is a limit, or concurrent ones would invalidate each other's tokens. */
export const runsAlone = (
  { concurrency, maxTimeMs }: Pick<Target, 'concurrency' | 'maxTimeMs'>,
  results: readonly ProbeResult[],
): boolean =>
  concurrency === 1 ||
  maxTimeMs !== undefined ||
  findingsOfFirst(results).some(({ clause }) => affectsAllTokens.has(clause));

/** Why a valid token may be refused in a run, according to the first stage. */
export function disturbance(
  results: readonly ProbeResult[],
  run: { readonly probe: Probe; readonly endpoint: Endpoint },
): string | undefined {
  if (run.probe.stage === 'first') return undefined;
  const places = [tokenEndpointName, endpointName(run.endpoint)];
  const found = findingsOfFirst(results).find(
    ({ clause, endpoint }) =>
      affectsAllTokens.has(clause) || (affectsEndpoint.has(clause) && places.includes(endpoint)),
  );
  return found && `${found.clause} is broken, which may be why a valid token was refused`;
}

/** Why tokens that are issued after simulated time may have expired. */
export const endedTokens = (results: readonly ProbeResult[]): string | undefined =>
  results.some(({ findings }) => findings.some(({ clause }) => clause === 'EXPIRY-6'))
    ? 'EXPIRY-6 is broken, which may be why a token was refused'
    : undefined;

/**
 * Why a missing token is no violation after a week of simulated time: keys and subscriptions may end (OPEN-10).
 * @param simulatedMs how much time was simulated so far
 */
export const accountEnded = (simulatedMs = 0): string | undefined =>
  simulatedMs > days(7)
    ? `no token was issued ${Math.floor(simulatedMs / days(1))} days later, when the account may have ended (OPEN-10)`
    : undefined;
