import { setTimeout } from 'node:timers/promises';
import { days, hours, minutes } from '../durations.ts';
import { header, httpDate } from '../http/answer.ts';
import { bearer, orNothing } from '../http/client.ts';
import type { World } from '../probe.ts';
import { issuedAt } from '../token-form.ts';
import { type Clock, ClockIgnoredError, type SettableClock } from './clock.ts';

/**
 * Checks that the provider's process reads the file and is in UTC: otherwise a correct one would get false findings.
 * One whose old token has expired has followed the clock, whatever `Date` says; one that shows no time is trusted.
 * @throws ClockIgnoredError, ClockError
 */
export async function checkClockMoves(
  provider: SettableClock,
  { service, account, endpoint }: Pick<World, 'service' | 'account' | 'endpoint'>,
  clock: Clock,
  sleep: (ms: number) => Promise<void> = setTimeout,
): Promise<void> {
  const findMistake = async (): Promise<string | undefined> => {
    const old = await service.issue(account);
    await clock.pass(days(3));
    const { status } = await service.call(endpoint, bearer(old));
    // Servers may send a cached `Date` for a second.
    if (status !== 401) await sleep(1500);
    const token = await service.issue(account);
    const answer = await service.call(endpoint, bearer(token));
    const made = issuedAt(token.secret);
    const dated = httpDate(header(answer, 'date'));
    const isElsewhere = (instant = clock.now()): boolean => {
      const awayMs = Math.abs(instant - clock.now());
      return awayMs > minutes(10) && awayMs < hours(26);
    };
    // A token that was issued before shows an earlier time.
    if (isElsewhere(dated) || (token.issuedBefore !== true && isElsewhere(made)))
      return "the provider's time is hours away from it: its process must run in UTC (TZ=UTC)";
    const stated = [made, dated].filter((instant) => instant !== undefined);
    const stays = stated.every((instant) => Math.abs(instant - Date.now()) < days(1));
    if (status === 401 || stated.length === 0 || !stays) return undefined;
    return 'three days passed in it and none for the provider: its process does not read this file (FAKETIME_TIMESTAMP_FILE, LD_PRELOAD)';
  };
  const mistake = await orNothing(findMistake());
  if (mistake !== undefined) throw new ClockIgnoredError(`${provider.name}: ${mistake}`);
}
