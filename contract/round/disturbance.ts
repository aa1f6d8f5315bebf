import type { MustId } from '../clauses.ts';
import { days } from '../durations.ts';
import type { Finding } from '../finding.ts';
import { type Endpoint, endpointName, tokenEndpointName } from '../http/request.ts';
import { isIntrusive, type Probe } from '../probe.ts';
import type { Account } from '../secrets/secret.ts';
import type { ProbeResult } from './attempt.ts';
import type { DueRun, Target } from './target.ts';
import type { RoundFacts } from './verdict.ts';

/** A violation of one of these clauses affects every other token. */
const affectsAllTokens: ReadonlySet<MustId> = new Set(['EXPIRY-4', 'BEARER-6']);

/** A violation of one of these affects its endpoint, or every endpoint if it was found at the token endpoint. */
const affectsEndpoint: ReadonlySet<MustId> = new Set(['TOKEN-4', 'BEARER-1']);

const findingsOfFirst = (results: readonly ProbeResult[]): Finding[] =>
  results.filter(({ probe }) => probe.stage === 'first').flatMap(({ findings }) => findings);

/** Whether runs go one at a time: there is a limit, or concurrent ones would invalidate each other's tokens. */
export const runsAlone = (
  { concurrency, maxTimeMs }: Target,
  results: readonly ProbeResult[],
): boolean =>
  concurrency === 1 ||
  maxTimeMs !== undefined ||
  findingsOfFirst(results).some(({ clause }) => affectsAllTokens.has(clause));

/** Why a valid token may be refused: a clause of the first stage is broken, or it is issued after simulated time. */
export function disturbance(
  results: readonly ProbeResult[],
  run: { readonly probe: Probe; readonly endpoint: Endpoint; readonly simulated?: boolean },
): string | undefined {
  if (run.probe.stage === 'first') return undefined;
  const places = [tokenEndpointName, endpointName(run.endpoint)];
  const isAffected = ({ clause, endpoint }: Finding): boolean =>
    affectsAllTokens.has(clause) || (affectsEndpoint.has(clause) && places.includes(endpoint));
  const ended = results
    .flatMap(({ findings }) => findings)
    .find(({ clause }) => clause === 'EXPIRY-6' && !run.simulated);
  const found = findingsOfFirst(results).find(isAffected) ?? ended;
  return found && `${found.clause} is broken, which may be why a valid token was refused`;
}

/** Why a missing token is no violation after a week of simulated time: keys and subscriptions may end (OPEN-10). */
export const accountEnded = (simulatedMs = 0): string | undefined =>
  simulatedMs > days(7)
    ? `no token was issued ${Math.floor(simulatedMs / days(1))} days later, when the account may have ended (OPEN-10)`
    : undefined;

/** The account of a probe: wrong credentials go to the second one, if there is one. */
export const accountFor = (
  probe: Probe,
  { account, secondAccount = account }: Pick<Target, 'account' | 'secondAccount'>,
): Account => (isIntrusive(probe) ? secondAccount : account);

/** Why a missing token is no violation: the account may be locked, or have ended; undefined if it cannot. */
export function tokensStopped(
  probe: Probe,
  { results }: RoundFacts,
  { secondAccount }: Target,
  simulatedMs?: number,
): string | undefined {
  const wereWrong = [...results.values()].some((run) => isIntrusive(run.probe) && !run.isOff);
  return isIntrusive(probe) || (wereWrong && !secondAccount)
    ? 'after wrong credentials no token was given any more'
    : accountEnded(simulatedMs);
}

/** The result of a run that sends wrong credentials where the settings forbid it. */
export function leftOut(
  { probe, endpoint }: DueRun,
  { wrongCredentials }: Target,
): ProbeResult | undefined {
  if (wrongCredentials !== 0 || !isIntrusive(probe)) return undefined;
  const unproven = 'PUBLIC_API_WRONG_CREDENTIALS is 0, so no wrong credentials are sent';
  const nothing = { findings: [], observations: [], unproven, isOff: true } as const;
  return { probe, endpoint, outcome: 'passed', ...nothing, durationSeconds: 0 };
}
