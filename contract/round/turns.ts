import { days, seconds } from '../durations.ts';
import { type ApiClient, orNothing, type Service } from '../http/client.ts';
import type { Probe } from '../probe.ts';
import type { Clock } from '../time/clock.ts';
import { checkClockMoves } from '../time/clock-check.ts';
import type { Timeline } from '../time/timeline.ts';
import type { Target } from './target.ts';

/**
 * The order in which timed probes run. Those of a turn share simulated time. If tokens are repeated (`again`), each
 * probe has a turn of its own: another probe's token would be too old, and both would use it.
 * @returns with `newTokens`, if every earlier token must have expired before, so that the first one is certainly new
 */
export function planTurns<Run extends { readonly probe: Probe }>(
  runs: readonly Run[],
  { alone, again }: { readonly alone: boolean; readonly again: boolean },
): { readonly runs: readonly Run[]; readonly newTokens: boolean }[] {
  // Tokens are young only when simulated time begins, and only then does a probe that `renews` have a control.
  const rank = ({ probe }: Run): number => (probe.renews ? 0 : 1);
  const ordered = again ? runs.toSorted((a, b) => rank(a) - rank(b)) : runs;
  const key = (run: Run): unknown => (alone ? run : again && run.probe);
  return [...Map.groupBy(ordered, key).values()].map((group, index) => ({
    runs: group,
    newTokens: again ? group.every(({ probe }) => !probe.renews) : index === 0,
  }));
}

/**
 * Begins simulated time, and checks that a process whose clock is moved follows it.
 * @returns whether a token is repeated after two seconds: JWTs of the same second may be the same text
 * @throws ClockError
 */
export async function beginTime(
  time: Timeline,
  { account, clock, endpoints: [endpoint] }: Target,
  service: Service,
  issued: ApiClient['issued'],
): Promise<boolean> {
  const issueTwice = async (simulated: Clock): Promise<boolean> => {
    const first = await service.issue(account);
    await simulated.pass(seconds(2));
    const second = await service.issue(account);
    return second.issuedBefore || first.secret.equals(second.secret);
  };
  const begin = async (simulated: Clock): Promise<boolean> => {
    // Their earlier dates come from another clock.
    for (const text of issued.keys()) issued.set(text, simulated.now());
    const repeats = await orNothing(issueTwice(simulated));
    if (clock?.movesProcess)
      await checkClockMoves(clock, { service, account, endpoint }, simulated);
    return repeats === true;
  };
  const [repeats = false] = await time.run([begin]);
  return repeats;
}

/** An instant at which every token that was issued so far has expired: more than a day later. */
export const afterTokens = (time: Timeline): number => time.now() + days(2);
