import type { MustId } from './clauses.ts';
import type { Answer } from './http/answer.ts';
import { bearer } from './http/client.ts';
import type { World } from './probe.ts';
import type { Token } from './secrets/secret.ts';

/** How often a request is repeated: one of two servers that are chosen at random is missed once in 64 times. */
const repetitions = 6;

/**
 * The clause that is violated when a used token outlives its end: EXPIRY-3 if its twin, issued at the same
 * instant and never used, has expired as it should; EXPIRY-2 if the twin is still valid too, so that use is not
 * the cause. The twin is called several times, because perhaps only one of several servers accepts it. A twin
 * that is the same text was used as well, and proves only the age.
 * @param answer the answer to the used token: a 401 violates nothing
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
 * The clause that is violated when a token is refused that should still be valid. A token that was ended stays
 * refused; if it is admitted again, one of several servers refuses it, which is BEARER-1.
 * @param answer the answer to the token: anything except 401 violates nothing
 * @param ended the clause if the token stays refused
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
