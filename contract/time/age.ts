import type { Token } from '../secrets/secret.ts';
import type { Clock } from './clock.ts';

/**
 * Waits until a token has an age (milliseconds). A repeated token may be older already.
 * @returns whether the token has exactly that age now
 */
export async function reachAge(clock: Clock, { madeAt }: Token, ageMs: number): Promise<boolean> {
  if (madeAt + ageMs < clock.now()) return false;
  await clock.until(madeAt + ageMs);
  return true;
}

/** Why a probe proves nothing if its token was too old for all of its checks when it was issued. */
export const issuedTooOld = 'the token endpoint gave a token again whose 24 hours had elapsed';
