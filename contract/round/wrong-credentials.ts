import { isIntrusive, type Probe } from '../probe.ts';
import type { Account } from '../secrets/secret.ts';
import type { ProbeResult } from './attempt.ts';
import type { DueRun, Target } from './target.ts';

type Accounts = Pick<Target, 'account' | 'secondAccount'>;

/** The account of a probe: wrong credentials go to the second one, if there is one. */
export const accountFor = (
  probe: Probe,
  { account, secondAccount = account }: Accounts,
): Account => (isIntrusive(probe) ? secondAccount : account);

/** Why a missing token is no violation; undefined while the account cannot be locked. */
export function lockedOut(
  probe: Probe,
  earlier: Iterable<ProbeResult>,
  { secondAccount }: Accounts,
): string | undefined {
  if (secondAccount !== undefined)
    return isIntrusive(probe)
      ? 'the second account (PUBLIC_API_SECOND_KEY) gets no token'
      : undefined;
  return isIntrusive(probe) ||
    [...earlier].some((result) => isIntrusive(result.probe) && !result.isOff)
    ? 'after wrong credentials no token was given any more'
    : undefined;
}

/** The result of a run that sends wrong credentials where the settings forbid it. */
export function leftOut(
  { probe, endpoint }: DueRun,
  { wrongCredentials }: Pick<Target, 'wrongCredentials'>,
): ProbeResult | undefined {
  if (wrongCredentials !== 0 || !isIntrusive(probe)) return undefined;
  const unproven = 'PUBLIC_API_WRONG_CREDENTIALS is 0, so no wrong credentials are sent';
  const nothing = { findings: [], observations: [], unproven, isOff: true } as const;
  return { probe, endpoint, outcome: 'passed', ...nothing, durationSeconds: 0 };
}
