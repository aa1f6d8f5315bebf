import type { MustId } from './clauses.ts';
import type { Answer } from './http/answer.ts';
import { bearer } from './http/client.ts';
import type { World } from './probe.ts';
import type { Token } from './secrets/secret.ts';

/** How often a request is repeated: one of two servers that are chosen at random is missed once in 64 times. */
const repetitions = 6;

/**
 * The clause that is broken when a used token outlives its end: EXPIRY-3 where its twin, made at the same instant and
 * never used, has ended as it should; EXPIRY-2 where the twin lives on too, so that use is not the cause. The twin is
 * called several times, because only one of several servers may let it live on. A twin that is the same text was used
 * as well, and only its age is proven.
 * @param answer what the used token got: a 401 breaks nothing
 */
export async function clauseOfUse(
  world: World,
  answer: Answer,
  token: Token,
  twin: Token,
): Promise<MustId> {
  if (token.secret.equals(twin.secret)) return 'EXPIRY-2';
  return answer.status !== 401 && (await isAdmitted(world, twin)) ? 'EXPIRY-2' : 'EXPIRY-3';
}

/**
 * The clause that is broken when a token is refused that should live on. A token that was ended stays refused; one that
 * is admitted again is refused by one of several servers, which is BEARER-1.
 * @param answer what the token got: anything but a 401 breaks nothing
 * @param ended the clause where the token stays refused
 */
export async function clauseOfEnd(
  world: World,
  answer: Answer,
  token: Token,
  ended: MustId,
): Promise<MustId> {
  return answer.status === 401 && (await isAdmitted(world, token)) ? 'BEARER-1' : ended;
}

/** Why a probe that compares two tokens proves nothing. */
export const noNewToken =
  'the token endpoint gave an older token again, so there was no second one to compare it with';

/** Whether a token is admitted in any of some requests. */
async function isAdmitted({ service, endpoint }: World, token: Token): Promise<boolean> {
  for (let request = 0; request < repetitions; request++)
    if ((await service.call(endpoint, bearer(token))).status !== 401) return true;
  return false;
}
