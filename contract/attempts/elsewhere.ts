import { isEndpointAnswer, isSuccess, isWebPage, validating } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, outline } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { Exchanged } from '../judge/repetitions.ts';
import type { World } from '../probe.ts';
import type { Secret, Token } from '../secrets/secret.ts';
import { madeUpLike } from '../token-form.ts';
import { type Guess, optionsOf } from './items.ts';
import { packed } from './pack.ts';
import { answerTo, search } from './search.ts';

/** The guesses, and the secrets that they contain. */
export interface Attack<From> {
  readonly clause: MustId;
  readonly guesses: readonly Guess<From>[];
  /** A valid token, for the control. */
  readonly token: Token;
  /** The secrets in the guesses. */
  readonly real: From;
  /** Made-up secrets instead: if the answer differs from the answer to these, the service has read the real ones. */
  readonly madeUp: From;
}

/** What is known of the endpoint during an attack. */
interface Context<From> extends Attack<From> {
  readonly world: World;
  /** The answer to a plain request with the token. */
  readonly authorised: Answer;
  /** The statuses of a refusal: 401, and those with which plain guesses were refused. */
  readonly refusals: Set<number>;
}

/** The endpoint refuses a valid token in each of these places. @throws Unreachable */
export async function refusesAll(
  world: World,
  clause: MustId,
  guesses: readonly Guess<Secret>[],
): Promise<void> {
  const token = await world.service.issue(world.account);
  const { secret: real } = token;
  await refusesEach(world, { clause, guesses, token, real, madeUp: madeUpLike(real) });
}

/**
 * The endpoint refuses each of many guesses. Plain ones are judged one by one. Of the others, those that fit together
 * share a request, and only an admission counts.
 * @throws Unreachable
 */
export async function refusesEach<From>(world: World, attack: Attack<From>): Promise<void> {
  const { guesses, real } = attack;
  const valid = bearer(attack.token);
  const authorised = await world.contract.admits(valid, 'BEARER-1');
  if (authorised.status === 401) return;
  const context = { ...attack, world, authorised, refusals: new Set([401]) };
  for (const guess of guesses.filter(({ plain }) => plain))
    if (!(await judgePlain(context, guess))) return;
  const others = guesses.filter(({ plain }) => !plain);
  await search(world, packed(others, real), {
    valid,
    request: (group) => requestOf(context, group),
    isRefusal: ({ status }) => context.refusals.has(status),
    isFault: (answer, group) => isFault(context, answer, group),
    // If a guess alone is turned away too, the server refuses its kind, whether or not the token is valid.
    async reachesGuard(group) {
      const status = (await answerTo(world, requestOf(context, group.slice(-1))))?.status;
      return status !== undefined && (isUsual(status, authorised) || context.refusals.has(status));
    },
    report: (group, exchanged) => report(context, group, exchanged),
    unproven: ([first]) =>
      world.contract.unproven(`many requests were turned away: ${first?.reason}`),
  });
}

function requestOf<From>(
  { token, real, world }: Context<From>,
  group: readonly Guess<From>[],
): CallOptions {
  const options = optionsOf(group, real, world.endpoint);
  return real === token.secret ? { ...options, token } : options;
}

const isUsual = (status: number, authorised: Answer): boolean =>
  status === 401 || status === authorised.status || isSuccess(status);

/** @returns whether other guesses can be judged: not if the endpoint answers everybody alike */
async function judgePlain<From>(context: Context<From>, guess: Guess<From>): Promise<boolean> {
  const { world, clause, authorised, token, refusals } = context;
  const { service, endpoint, contract } = world;
  const { reason } = guess;
  const request = requestOf(context, [guess]);
  const exchanged = await orNothing(contract.send(request));
  if (exchanged === undefined) {
    // A request without an answer is judged too.
    await contract.refuses(request, clause, { control: authorised, reason });
    return true;
  }
  const { status } = exchanged.answer;
  let control = authorised;
  if (!isUsual(status, authorised)) {
    if (!Object.hasOwn(request.headers ?? {}, 'Authorization'))
      control = await service.call(endpoint, { ...bearer(token), ...request });
    // If the server rejects a valid token in such a request too, the guard has not checked the guess.
    if (control.status === status) return true;
    refusals.add(status);
  }
  await contract.judgeRefusal(exchanged, clause, { control, reason });
  return status !== authorised.status;
}

/** Whether the answer is the endpoint's, or differs from the answer to made-up secrets. */
async function isFault<From>(
  context: Context<From>,
  answer: Answer,
  group: readonly Guess<From>[],
): Promise<boolean> {
  const { world, real, madeUp, authorised, refusals } = context;
  const { status } = answer;
  const isOwn = isEndpointAnswer(answer, authorised);
  const isInPath = group.some(({ put }) => put(real).some(({ part }) => part === 'path'));
  if (isOwn && !isInPath) return true;
  const isAlike = status === authorised.status;
  if (isInPath ? !isOwn : !isAlike && !isSuccess(status) && !validating.has(status)) return false;
  const other = await answerTo(world, optionsOf(group, madeUp, world.endpoint));
  if (other === undefined) return false;
  // Something public may be at another path.
  if (isInPath) return other.status !== status;
  if (isAlike && other.status === status)
    world.contract.unproven(`with and without a valid token the endpoint answers ${status}`);
  // A proxy may have sent a page instead of the answer: the endpoint itself does not answer with pages.
  return refusals.has(other.status) && (!isWebPage(answer) || isWebPage(authorised));
}

/** If two servers share an address, only one of them may have the fault. */
const mostConfirmations = 3;

/** Reports guesses if a repeated request has the same result. A page that a proxy sends by chance does not recur. */
async function report<From>(
  { world, clause }: Context<From>,
  group: readonly Guess<From>[],
  { answer, again }: Exchanged,
): Promise<void> {
  const [first, ...others] = group;
  const more = others.length === 0 ? '' : `, together with ${others.length} other places`;
  for (let tries = 0; tries < mostConfirmations; tries++) {
    if ((await orNothing(again()))?.status !== answer.status) continue;
    return world.contract.violated(clause, answer, {
      reason: `${first?.reason}${more}`,
      expected: '401, as without a valid token',
      received: outline(answer),
    });
  }
}
