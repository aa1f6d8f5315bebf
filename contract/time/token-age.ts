import { lifetime } from '../durations.ts';
import { bearer } from '../http/client.ts';
import { UnprovenError } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import type { Clock } from './clock.ts';

/**
 * A token whose age is known. A repeated one is as old as its first issue, which may be the other client's.
 * @throws UnprovenError if its 24 hours have elapsed: one probe judges that, and all others cannot continue
 */
export async function issueToken(
  world: Pick<World, 'service' | 'account' | 'clock'>,
): Promise<Token> {
  const token = await world.service.issue(world.account);
  if (world.clock.now() - token.madeAt >= lifetime)
    throw new UnprovenError(
      'the token endpoint gave a token again although 24 hours had elapsed since it was first given',
    );
  return token;
}

/** Waits until a token has an age (milliseconds). @throws UnprovenError if it is older already */
export async function untilAge(clock: Clock, { madeAt }: Token, ageMs: number): Promise<void> {
  const instant = madeAt + certainAge(clock, ageMs);
  if (instant < clock.now())
    throw new UnprovenError('the token endpoint gave an older token again instead of a new one');
  await clock.until(instant);
}

/** The nearest age at which it is certain, by a clock with a tolerance, on which side of its end a token is. */
export const certainAge = ({ toleranceMs = 0 }: Clock, ageMs: number): number =>
  ageMs < lifetime
    ? Math.min(ageMs, lifetime - Math.max(1, toleranceMs))
    : Math.max(ageMs, lifetime + toleranceMs);

/** Why a probe of what comes after the end proves nothing. */
export const neverExpired = 'no token was seen to expire when its 24 hours had elapsed';

/** Why a probe that compares two tokens proves nothing. */
export const noNewToken =
  'the token endpoint gave an older token again, so there was no second one to compare it with';

/** Whether one of six requests is answered in the other way: they miss one of two servers once in 64 times. */
export async function answersVary(
  { service, endpoint }: World,
  token: Token,
  isRefused: boolean,
): Promise<boolean> {
  for (let request = 0; request < 6; request++) {
    const { status } = await service.call(endpoint, bearer(token));
    if ((status === 401) !== isRefused) return true;
  }
  return false;
}
