import type { MustId } from './clauses.ts';
import type { Answer } from './http/answer.ts';
import { bearer } from './http/client.ts';
import type { World } from './probe.ts';
import type { Token } from './secrets/secret.ts';

/** How often a request is repeated. Six requests miss one of two randomly chosen servers once in 64 times. */
const repetitions = 6;

/**
 * The clause that is violated when a used token is valid after its end. It is EXPIRY-3 if its twin, issued at the
 * same instant and never used, has expired correctly. It is EXPIRY-2 if the twin is still valid too, because then use
 * is not the cause. The twin is requested several times, because perhaps only one of several servers accepts it. If
 * both tokens are the same text, the twin was used as well, and proves only the age.
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
 * The clause that is violated when a token is refused although it should still be valid. If a repeated request is
 * admitted, one of several servers refuses the token, which violates BEARER-1.
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

/** Whether at least one of several requests with a token is admitted. */
async function isAdmitted({ service, endpoint }: World, token: Token): Promise<boolean> {
  for (let request = 0; request < repetitions; request++)
    if ((await service.call(endpoint, bearer(token))).status !== 401) return true;
  return false;
}
