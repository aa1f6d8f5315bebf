import { issuedAt } from '../attacks/jwt.ts';
import { header } from '../http/answer.ts';
import { bearer, NoToken } from '../http/client.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import { type Clock, ClockError, days, hours, minutes, type SettableClock } from './clock.ts';

/**
 * Servers go on sending a `Date` that they have written before, for a second or more; a token is made when it is made.
 */
const looks = 6;
const betweenLooksMs = 500;

type Caller = Pick<World, 'service' | 'account' | 'endpoint'>;

/**
 * Sees that the provider's process follows its clock, before ages of tokens are judged by it: a right provider would
 * be accused when its process does not read the file, which moves nothing, or is not in UTC, which leads it astray
 * where daylight saving time changes. A provider whose old token has expired has moved, whatever `Date` a proxy puts
 * before it; and one that says nothing of its time is believed.
 * @param sleep waits in real time, milliseconds
 * @throws ClockError
 */
export async function checkClockMoves(
  provider: SettableClock,
  world: Caller,
  clock: Clock,
  sleep: (ms: number) => Promise<void> = realSleep,
): Promise<void> {
  const { service, account, endpoint } = world;
  try {
    const old = await service.issue(account);
    await clock.pass(days(3));
    const { status } = await service.call(endpoint, bearer(old));
    for (let look = 1; look <= looks; look++) {
      const { ofToken, ofOldToken, ofAnswer } = await statedTimes(world);
      const output = [ofToken, ofOldToken, ofAnswer].filter((instant) => instant !== undefined);
      const off = [ofToken, ofAnswer]
        .filter((instant) => instant !== undefined)
        .map((instant) => Math.abs(instant - clock.now()));
      if (off.some((ms) => ms > minutes(10) && ms < hours(26)))
        throw new ClockError(
          `${provider.name}: the provider's time is hours away from it: its process must run in UTC (TZ=UTC)`,
        );
      const stays = output.every((instant) => Math.abs(instant - Date.now()) < days(1));
      if (status === 401 || output.length === 0 || !stays) return;
      if (ofToken !== undefined) break;
      if (look < looks) await sleep(betweenLooksMs);
    }
  } catch (error) {
    // What a provider does instead of answering is for the probes to tell.
    if (error instanceof NoToken || error instanceof Unreachable) return;
    throw error;
  }
  throw new ClockError(
    `${provider.name}: three days passed in it and none for the provider: its process does not read this file (FAKETIME_TIMESTAMP_FILE, LD_PRELOAD)`,
  );
}

/**
 * When a token and an answer say that they were made. A token that was given before tells of its own time only: it is
 * no evidence against a `Date` that follows the clock.
 */
async function statedTimes({ service, account, endpoint }: Caller): Promise<{
  readonly ofToken: number | undefined;
  readonly ofOldToken: number | undefined;
  readonly ofAnswer: number | undefined;
}> {
  const token = await service.issue(account);
  const date = Date.parse(header(await service.call(endpoint, bearer(token)), 'date') ?? '');
  const made = issuedAt(token.secret);
  const old = token.givenBefore === true;
  return {
    ofToken: old ? undefined : made,
    ofOldToken: old ? made : undefined,
    ofAnswer: Number.isNaN(date) ? undefined : date,
  };
}

const realSleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
