import { type ApiClient, NoToken, type Service } from '../http/client.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { Probe } from '../probe.ts';
import type { Account } from '../secrets/secret.ts';
import { type Clock, days, seconds } from '../time/clock.ts';
import type { Timeline } from '../time/timeline.ts';

/** Issues tokens, and knows those issued so far. */
export type TokenSource = Pick<Service, 'issue'> & Pick<ApiClient, 'issued'>;

/** Runs that share simulated time. */
export interface Turn<Run> {
  readonly runs: readonly Run[];
  /** Every token of earlier turns must have expired before, so that the first issued one is certainly new. */
  readonly newTokens: boolean;
}

/**
 * The order in which timed probes run. If tokens are repeated, each probe has a turn of its own: another probe's
 * token would be too old, and both would use it.
 * @param alone whether runs disturb each other
 * @param again whether tokens are repeated
 */
export function turnsOf<Run extends { readonly probe: Probe }>(
  runs: readonly Run[],
  { alone, again }: { readonly alone: boolean; readonly again: boolean },
): Turn<Run>[] {
  if (!again)
    return (alone ? runs.map((run) => [run]) : [runs]).map((together, index) => ({
      runs: together,
      newTokens: index === 0,
    }));
  // Tokens are young only when simulated time begins, and only then does a probe with `anyAge` have a control. The one
  // about time runs first, because the other lets the current token grow old.
  const rank = ({ probe: { anyAge, clauses } }: Run): number =>
    anyAge !== true ? 2 : clauses.includes('EXPIRY-6') ? 0 : 1;
  const ordered = runs.toSorted((one, other) => rank(one) - rank(other));
  const groups = alone
    ? ordered.map((run) => [run])
    : [...Map.groupBy(ordered, ({ probe }) => probe).values()];
  return groups.map((together) => ({
    runs: together,
    newTokens: together.every(({ probe }) => probe.anyAge !== true),
  }));
}

/**
 * Begins simulated time, and checks whether a token is repeated after two seconds: two JWTs of the same second
 * are the same text, which does not count.
 * @throws ClockError
 */
export async function reissuesTokens(
  time: Timeline,
  tokens: TokenSource,
  account: Account,
): Promise<boolean> {
  const issueTwice = async (clock: Clock): Promise<boolean> => {
    tokens.issued.redate(clock.now());
    try {
      const first = await tokens.issue(account);
      await clock.pass(seconds(2));
      const second = await tokens.issue(account);
      return second.issuedBefore === true || first.secret.equals(second.secret);
    } catch (error) {
      // The probes judge a provider that issues no token.
      if (error instanceof NoToken || error instanceof Unreachable) return tokens.issued.repeated;
      throw error;
    }
  };
  return (await time.run([issueTwice])).includes(true);
}

/** An instant at which every token that was issued so far has expired: more than a day later. */
export const afterTokens = (time: Timeline): number => time.now() + days(2);
