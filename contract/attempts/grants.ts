import type { MustId } from '../clauses.ts';
import { type Answer, header, quoteAnswer, readJson } from '../http/answer.ts';
import { bearer, NoTokenError } from '../http/client.ts';
import { apiPrefix, tokenEndpoint } from '../http/request.ts';
import { textsIn } from '../json-value.ts';
import type { World } from '../probe.ts';
import { readToken } from '../schema.ts';
import { type Account, Secret } from '../secrets/secret.ts';
import { describeForm, randomLike } from '../token-form.ts';
import type { CredentialAttempt } from './credentials.ts';
import { answerTo } from './search.ts';

/** Of the texts in an answer. */
const maxTried = 8;

/** So many in a row lock no account; most are locked by the fifth. */
const maxInARow = 4;

/**
 * Sends the attempts. Those with the account's key are few in a row, and the right credentials follow, which resets the
 * usual counters. If they get no token, nothing more is sent, and what was refused since the last one proves nothing.
 * @param issued a token, for its form @param sent texts of the requests, which an answer may repeat
 * @returns the answer to the first of them
 */
export async function getNoToken(
  world: World,
  all: readonly CredentialAttempt[],
  clause: MustId,
  issued: Secret,
  sent: readonly Secret[] = [],
): Promise<Answer | undefined> {
  const { contract, account, guesses = { left: Number.POSITIVE_INFINITY } } = world;
  const { harmless = [], guessing = [] } = Object.groupBy(contract.selectPart(all), (attempt) =>
    hasKey(account, attempt) ? 'guessing' : 'harmless',
  );
  // A half for each clause.
  const max = clause === 'TOKEN-2' ? Math.ceil(guesses.left / 2) : guesses.left;
  const due = guessing.slice(0, max);
  guesses.left -= due.length;
  let first: Answer | undefined;
  for (let from = 0; from === 0 || from < due.length; from += maxInARow) {
    const batch = [...(from === 0 ? harmless : []), ...due.slice(from, from + maxInARow)];
    const answers = await Promise.all(
      batch.map(([, options]) => answerTo(world, options, tokenEndpoint)),
    );
    first ??= answers[0];
    for (const [index, [reason]] of batch.entries()) {
      await holdsNoToken(world, answers[index], clause, { reason, issued, sent });
    }
    const why = await whyNoToken(world);
    if (why === undefined) continue;
    guesses.left = 0;
    contract.observe('OPEN-2', 'right credentials after wrong ones', why);
    if (from === 0)
      contract.unproven(`after wrong credentials no token was given any more: ${why}`);
    break;
  }
  return first;
}

/** Whether the body holds the account's key as it is: then a wrong secret counts against the account. */
function hasKey({ apiKey }: Account, [, { body }]: CredentialAttempt): boolean {
  const text = body !== undefined && 'text' in body && body.text;
  const holds = (key: string) => (json: string) => json.includes(JSON.stringify(key));
  return text instanceof Secret && apiKey.is((key) => text.is(holds(key)));
}

/** Why the right credentials get no token; undefined if they get one. @throws UnreachableError */
const whyNoToken = ({ service, account }: World): Promise<string | undefined> =>
  service.issue(account).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof NoTokenError) return quoteAnswer(error.answer);
      throw error;
    },
  );

/**
 * The endpoint admits no text of an answer as a token, wherever it stands. A refusal may hold identifiers and hashes, so
 * only texts of the form of a token are tried there. @param sent texts that the answer may repeat
 */
export async function holdsNoToken(
  world: World,
  answer: Answer | undefined,
  clause: MustId,
  { reason, issued, sent }: { reason: string; issued: Secret; sent: readonly Secret[] },
): Promise<void> {
  if (answer === undefined) return;
  const offered = possibleTokens(answer)
    .slice(0, maxTried)
    .filter((text) => !sent.some((value) => value.equals(text)))
    .filter((text) => answer.status < 400 || describeForm(text) === describeForm(issued));
  for (const text of offered) {
    if (!(await isAdmitted(world, text))) continue;
    const received = `${answer.status} with a token`;
    const expected = 'an answer without a token';
    return world.contract.violated(clause, answer, { reason, expected, received });
  }
}

/**
 * Whether the endpoint accepts a text as a token: its answer equals that to a valid token, and differs from that to a
 * random text of the same form. A 431 or a firewall's 403 to an unusual text does not count.
 */
async function isAdmitted(
  { service, account, endpoint, clock, contract }: World,
  secret: Secret,
): Promise<boolean> {
  const send = (text: Secret) =>
    service.call(endpoint, bearer({ secret: text, madeAt: clock.now() }));
  const tried = await send(secret);
  if (tried.status === 401) return false;
  const { secret: issued } = await service.issue(account);
  if (!areAlike(tried, await send(issued))) return false;
  const isOpen = areAlike(tried, await send(randomLike(secret)));
  if (isOpen) contract.unproven(`a made-up token is answered with ${tried.status} too`);
  return !isOpen;
}

/** Whether two answers are of one kind: a page of an intermediary has another type than the endpoint's answer. */
const areAlike = (a: Answer, b: Answer): boolean =>
  a.status === b.status && header(a, 'content-type') === header(b, 'content-type');

/**
 * The texts of an answer that could be tokens, the most likely first. An address is none: the client hides every text
 * that it sends as a token, and reports name addresses.
 */
export function possibleTokens(answer: Answer): Secret[] {
  const { value: json, why } = readJson(answer);
  const text = answer.body.toString('latin1').trim();
  const inBody = why === undefined ? textsIn(json) : [text].filter((value) => !/\s/.test(value));
  const inHeaders = answer.headers.map(([, value]) => value);
  const token = readToken(answer);
  const others = [...inBody, ...inHeaders]
    .flatMap((value) => value.split(/[\s<>"'?#]+/))
    .filter((part) => !/^https?:\/\//i.test(part) && !part.includes(apiPrefix))
    .flatMap((part) => part.match(/[\w.~+/-]{16,}=*/g) ?? [])
    .filter((part) => /\d/.test(part) || (/[a-z]/.test(part) && /[A-Z]/.test(part)));
  const secrets = [...new Set(others)].map((part) => new Secret(part, '[secret]', 'itself'));
  return [token ?? [], secrets.filter((secret) => token?.equals(secret) !== true)].flat();
}
