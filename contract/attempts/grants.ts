import type { MustId } from '../clauses.ts';
import { type Answer, header, jsonOf } from '../http/answer.ts';
import { bearer, NoToken } from '../http/client.ts';
import { type CallOptions, prefix, tokenEndpoint } from '../http/request.ts';
import { Unreachable } from '../http/unreachable.ts';
import { textsIn } from '../json-value.ts';
import type { World } from '../probe.ts';
import { tokenOf } from '../schema.ts';
import { Secret } from '../secrets/secret.ts';
import { madeUpLike } from '../token-form.ts';
import type { CredentialAttempt } from './credentials.ts';

/**
 * The answer to invalid credentials; undefined if there is none. A firewall may drop the connection of what looks like
 * an attack, and a service that of a wrong pair (OPEN-2). An answer that comes too late might hold a token.
 */
export async function answerTo(
  { service }: World,
  options: CallOptions,
): Promise<Answer | undefined> {
  try {
    return await service.call(tokenEndpoint, { ...options, mayFail: true });
  } catch (error) {
    const isDropped = error instanceof Unreachable && /^(reset|unavailable)$/.test(error.reason);
    if (!isDropped) throw error;
    return undefined;
  }
}

/**
 * Sends the attempts at once. No answer contains a token: neither in the place of the success envelope, nor in another
 * field, a cookie or another header. A refusal may be long and hold identifiers, hashes and the like. So every text that
 * could be a token is tried, and counts only if the endpoint admits it.
 * @param sent texts of the requests, which an answer may repeat
 */
export async function getNoToken(
  world: World,
  attempts: readonly CredentialAttempt[],
  clause: MustId,
  sent: readonly Secret[] = [],
): Promise<void> {
  const { contract } = world;
  const answers = await Promise.all(attempts.map(({ options }) => answerTo(world, options)));
  for (const [index, { description }] of attempts.entries()) {
    const answer = answers[index];
    for (const secret of answer === undefined ? [] : possibleTokens(answer)) {
      if (answer === undefined || sent.some((one) => one.equals(secret))) continue;
      const result = await admission(world, secret);
      if (result === 'refused') continue;
      if (result === 'admitted')
        contract.violated(clause, answer, {
          reason: description,
          expected: 'an answer without a token',
          received: `${answer.status} with a token`,
        });
      else contract.unproven(result.unproven);
      break;
    }
  }
}

/**
 * Whether the endpoint accepts a text as a token. Then its answer equals that to a valid token, and differs from that
 * to a random text of the same form. A 431 or a firewall's 403 to an unusual text does not count.
 */
async function admission(
  { service, endpoint, account, clock }: World,
  secret: Secret,
): Promise<'admitted' | 'refused' | { readonly unproven: string }> {
  const tried = await service.call(endpoint, bearer({ secret, madeAt: clock.now() }));
  if (tried.status === 401) return 'refused';
  const valid = await service.issue(account).catch((error: unknown) => {
    if (error instanceof NoToken) return undefined;
    throw error;
  });
  if (valid === undefined)
    return { unproven: 'after wrong credentials no token was given any more' };
  if (!alike(tried, await service.call(endpoint, bearer(valid)))) return 'refused';
  const random = { secret: madeUpLike(secret).secret, madeAt: clock.now() };
  if (!alike(tried, await service.call(endpoint, bearer(random)))) return 'admitted';
  return { unproven: `a made-up token is answered with ${tried.status} too` };
}

/** Whether two answers are of one kind: a page of an intermediary has another type than the endpoint's answer. */
const alike = (one: Answer, other: Answer): boolean =>
  one.status === other.status && header(one, 'content-type') === header(other, 'content-type');

/**
 * The texts of an answer that could be tokens: at most eight, the most likely first.
 * @param learn whether the client hides them: in an answer to valid credentials they are secrets
 */
export function possibleTokens(answer: Answer, learn?: 'itself'): Secret[] {
  const json = jsonOf(answer);
  const inBody = json.is === 'json' ? textsIn(json.value) : [answer.body.toString('latin1').trim()];
  const inHeaders = answer.headers
    .filter(
      ([name]) =>
        /^(set-cookie|location|authorization)$|token|auth/i.test(name) &&
        !/^www-authenticate$/i.test(name),
    )
    .flatMap(([, value]) => value.split(/[\s;,=?&#]+/));
  const own = tokenOf(answer);
  const found = [...new Set([...inBody, ...inHeaders])].filter(
    (text) => /^(?=.*\d)[\x21-\x7e]{16,8192}$/.test(text) && !isAddress(text),
  );
  const others = found.map((text) => new Secret(text, '[secret]', learn));
  return own === undefined
    ? others.slice(0, 8)
    : [own, ...others.filter((secret) => !secret.equals(own)).slice(0, 7)];
}

/** Whether a text is an address. Every text that is sent as a token is hidden, and reports name addresses. */
export const isAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) || text.includes(prefix);
