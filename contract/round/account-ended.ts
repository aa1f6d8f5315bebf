import { days } from '../time/clock.ts';

/**
 * Keys and subscriptions may end (OPEN-10): after a week of simulated time a missing token is not a violation.
 * @param simulatedMs how much time was simulated so far
 * @returns the reason; undefined when a missing token is a violation
 */
export const accountEnded = (simulatedMs = 0): string | undefined =>
  simulatedMs > days(7)
    ? `no token was issued ${Math.floor(simulatedMs / days(1))} days later, when the account may have ended (OPEN-10)`
    : undefined;
