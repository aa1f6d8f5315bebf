import type { MustId } from '../clauses.ts';
import { type Answer, header, jsonOf } from '../http/answer.ts';
import { bearer, NoToken } from '../http/client.ts';
import { type CallOptions, prefix, tokenEndpoint } from '../http/request.ts';
import { Unreachable } from '../http/unreachable.ts';
import { textsIn } from '../json-value.ts';
import type { World } from '../probe.ts';
import { tokenOf } from '../schema.ts';
import { Secret } from '../secrets/secret.ts';
import { formOf, madeUpLike } from '../token-form.ts';
import type { CredentialAttempt } from './credentials.ts';

/**
 * The answer to invalid credentials; undefined if there is none. A firewall may drop the connection of what looks like
 * an attack, and a service that of a wrong pair (OPEN-2). An answer that comes too late might hold a token.
 */
export const answerTo = ({ service }: World, options: CallOptions): Promise<Answer | undefined> =>
  service.call(tokenEndpoint, { ...options, mayFail: true }).catch((error: unknown) => {
    if (error instanceof Unreachable && /^(reset|unavailable)$/.test(error.reason))
      return undefined;
    throw error;
  });

/**
 * Sends the attempts at once. No answer contains a token: neither in the place of the success envelope, nor in another
 * field, a cookie or another header. A refusal may be long and hold identifiers, hashes and the like. So only texts of
 * the form of a token are tried there, and every text counts only if the endpoint admits it.
 * @param issued a token, for its form
 * @param sent texts of the requests, which an answer may repeat
 */
export async function getNoToken(
  world: World,
  attempts: readonly CredentialAttempt[],
  clause: MustId,
  issued: Secret,
  sent: readonly Secret[] = [],
): Promise<void> {
  const { contract } = world;
  const answers = await Promise.all(attempts.map(({ options }) => answerTo(world, options)));
  for (const [index, { description: reason }] of attempts.entries()) {
    const answer = answers[index];
    if (answer === undefined) continue;
    const isOffered = (text: Secret): boolean =>
      !sent.some((one) => one.equals(text)) && (answer.status < 400 || isLike(text, issued));
    for (const secret of possibleTokens(answer).filter(isOffered)) {
      const result = await admission(world, secret);
      if (result === 'refused') continue;
      const received = `${answer.status} with a token`;
      if (result === 'admitted')
        contract.violated(clause, answer, {
          reason,
          expected: 'an answer without a token',
          received,
        });
      else contract.unproven(result.unproven);
      break;
    }
  }
}

/** Whether a text has the alphabet and about the length of a token. */
const isLike = (text: Secret, token: Secret): boolean =>
  alphabetOf(text) === alphabetOf(token) &&
  text.length > token.length / 2 &&
  text.length < token.length * 2;

const alphabetOf = (text: Secret): string => formOf(text).replace(/, \d+ long$/, '');

/**
 * Whether the endpoint accepts a text as a token. Then its answer equals that to a valid token, and differs from that
 * to a random text of the same form. A 431 or a firewall's 403 to an unusual text does not count.
 */
async function admission(
  { service, endpoint, account, clock }: World,
  secret: Secret,
): Promise<'admitted' | 'refused' | { readonly unproven: string }> {
  const send = (text: Secret) =>
    service.call(endpoint, bearer({ secret: text, madeAt: clock.now() }));
  const tried = await send(secret);
  if (tried.status === 401) return 'refused';
  const valid = await service.issue(account).catch((error: unknown) => {
    if (error instanceof NoToken) return undefined;
    throw error;
  });
  if (valid === undefined)
    return { unproven: 'after wrong credentials no token was given any more' };
  if (!alike(tried, await service.call(endpoint, bearer(valid)))) return 'refused';
  if (!alike(tried, await send(madeUpLike(secret)))) return 'admitted';
  return { unproven: `a made-up token is answered with ${tried.status} too` };
}

/** Whether two answers are of one kind: a page of an intermediary has another type than the endpoint's answer. */
const alike = (one: Answer, other: Answer): boolean =>
  one.status === other.status && header(one, 'content-type') === header(other, 'content-type');

/** Headers in which a service may give a token. */
const ofTokens = /^(set-cookie|location)$|^(?!www-authenticate$).*(token|auth)/i;

/**
 * The texts of an answer that could be tokens: at most eight, the most likely first.
 * @param learn whether the client hides them: in an answer to valid credentials they are secrets
 */
export function possibleTokens(answer: Answer, learn?: 'itself'): Secret[] {
  const json = jsonOf(answer);
  const inBody = json.is === 'json' ? textsIn(json.value) : [answer.body.toString('latin1').trim()];
  const inHeaders = answer.headers.flatMap(([name, value]) =>
    ofTokens.test(name) ? value.split(/[\s;,=?&#]+/) : [],
  );
  const token = tokenOf(answer);
  const others = [...new Set([...inBody, ...inHeaders])]
    .filter((text) => /^(?=.*\d)[\x21-\x7e]{16,8192}$/.test(text) && !isAddress(text))
    .map((text) => new Secret(text, '[secret]', learn))
    .filter((secret) => token?.equals(secret) !== true);
  return [...(token === undefined ? [] : [token]), ...others].slice(0, 8);
}

/** Whether a text is an address. Every text that is sent as a token is hidden, and reports name addresses. */
export const isAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) || text.includes(prefix);
