import { type ApiClient, NoToken, type Service } from '../http/client.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { Probe } from '../probe.ts';
import type { Account } from '../secrets/secret.ts';
import { type Clock, days, seconds } from '../time/clock.ts';
import type { Timeline } from '../time/timeline.ts';

/** What gives tokens, and what it gave so far. */
export type TokenSource = Pick<Service, 'issue'> & Pick<ApiClient, 'given'>;

/** Runs that walk through time together. */
export interface Turn<Run> {
  readonly runs: readonly Run[];
  /** Every token of earlier turns must have ended before, so that the first one given is certainly new. */
  readonly newTokens: boolean;
}

/**
 * The order in which timed probes run. Where tokens are given again, each probe has a turn of its own: the token of
 * another one would be older than its own life, and would be used by both.
 * @param alone runs disturb one another @param again tokens are given again
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
  // Tokens are young when simulated time begins: a probe for any age has a control only then.
  const [others, first] = [false, true].map((anyAge) =>
    runs.filter(({ probe }) => (probe.anyAge === true) === anyAge),
  );
  // Of these the ones about time go first: the others let the token in hand grow old.
  const aboutTime = ({ probe }: Run): boolean => probe.clauses.some((id) => /^EXPIRY/.test(id));
  const young = first?.filter(aboutTime) ?? [];
  const ordered = [...young, ...(first ?? []).filter((run) => !aboutTime(run)), ...(others ?? [])];
  const groups = alone
    ? ordered.map((run) => [run])
    : [...Map.groupBy(ordered, ({ probe }) => probe).values()];
  return groups.map((together) => ({
    runs: together,
    newTokens: together.every(({ probe }) => probe.anyAge !== true),
  }));
}

/**
 * Begins simulated time, and sees whether a token is given again after two seconds: two JWTs of the same second are
 * one text, which is no repetition.
 * @throws ClockError
 */
export async function givesTokensAgain(
  time: Timeline,
  tokens: TokenSource,
  account: Account,
): Promise<boolean> {
  const look = async (clock: Clock): Promise<boolean> => {
    tokens.given.redate(clock.now());
    try {
      const first = await tokens.issue(account);
      await clock.pass(seconds(2));
      const second = await tokens.issue(account);
      return second.givenBefore === true || first.secret.equals(second.secret);
    } catch (error) {
      // The probes judge a provider that gives no token.
      if (error instanceof NoToken || error instanceof Unreachable) return tokens.given.repeated;
      throw error;
    }
  };
  return (await time.run([look])).includes(true);
}

/** Lets more than a day elapse, so that every token that was given has ended. @throws ClockError */
export async function letTokensEnd(time: Timeline): Promise<void> {
  await time.run([(clock) => clock.pass(days(2))]);
}
