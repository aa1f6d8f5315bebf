import type { MustId } from '../clauses.ts';
import { type Endpoint, endpointName, tokenEndpointName } from '../http/request.ts';
import { days } from '../time/clock.ts';
import type { ProbeResult } from './attempt.ts';

/** A violation of one of these clauses affects every other token. */
const affectsAllTokens: ReadonlySet<MustId> = new Set(['EXPIRY-4', 'BEARER-6']);

/** Whether concurrent runs would invalidate each other's tokens. */
export const disturbEachOther = (results: readonly ProbeResult[]): boolean =>
  results.some(({ findings }) => findings.some(({ clause }) => affectsAllTokens.has(clause)));

/** A violation of one of these affects its endpoint, or every endpoint if it was found at the token endpoint. */
const affectsEndpoint: ReadonlySet<MustId> = new Set(['TOKEN-4', 'BEARER-1']);

/** Why a valid token may be refused at an endpoint, according to the first stage. */
export function disturbance(results: readonly ProbeResult[], of: Endpoint): string | undefined {
  const name = endpointName(of);
  const found = results
    .filter(({ probe }) => probe.stage === 'first')
    .flatMap(({ findings }) => findings)
    .find(
      ({ clause, endpoint }) =>
        affectsAllTokens.has(clause) ||
        (affectsEndpoint.has(clause) && [tokenEndpointName, name].includes(endpoint)),
    );
  return found && `${found.clause} is broken, which may be why a valid token was refused`;
}

/** Why tokens that are issued after simulated time may have expired, according to a result. */
export const endedTokens = ({ findings }: ProbeResult): string | undefined =>
  findings.some(({ clause }) => clause === 'EXPIRY-6')
    ? 'EXPIRY-6 is broken, which may be why a token was refused'
    : undefined;

/**
 * Keys and subscriptions may end (OPEN-10): after a week of simulated time a missing token is not a violation.
 * @param simulatedMs how much time was simulated so far
 * @returns the reason; undefined when a missing token is a violation
 */
export const accountEnded = (simulatedMs = 0): string | undefined =>
  simulatedMs > days(7)
    ? `no token was issued ${Math.floor(simulatedMs / days(1))} days later, when the account may have ended (OPEN-10)`
    : undefined;
