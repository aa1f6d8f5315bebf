import type { MustId } from './clauses.ts';
import type { World } from './probe.ts';
import type { Token } from './secret.ts';
import { bearer } from './service.ts';

/**
 * The clause that is broken when a used token outlives its end: EXPIRY-3 where its twin, made at the same instant and
 * never used, has ended as it should; EXPIRY-2 where the twin lives on too, so that use is not the cause. A twin that
 * is the same text was used as well, and only its age is proven.
 */
export async function clauseOfUse(world: World, token: Token, twin: Token): Promise<MustId> {
  if (token.secret.equals(twin.secret)) return 'EXPIRY-2';
  const answer = await world.service.call(world.endpoint, bearer(twin));
  return answer.status === 401 ? 'EXPIRY-3' : 'EXPIRY-2';
}

/** Why a probe that compares two tokens proves nothing. */
export const noNewToken =
  'the token endpoint gave an older token again, so there was no second one to compare it with';
