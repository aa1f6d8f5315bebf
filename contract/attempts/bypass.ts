import { isEndpointAnswer } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, header, isHead, readJson } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { apiPrefix, type CallOptions, type Endpoint } from '../http/request.ts';
import { field, isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import { seal, type Token } from '../secrets/secret.ts';
import { randomToken } from '../token-form.ts';
import { describeWay, mergeWay, type Way } from './deviation.ts';
import { answerTo, search } from './search.ts';
import { alter } from './tokens.ts';

/** What is known of the endpoint, and the intruder's token: none, a forged or an expired one. */
interface Context {
  readonly world: World;
  readonly valid: CallOptions;
  /** The endpoint's own answer to a plain request with a valid token. */
  readonly authorised: Answer;
  readonly intruder: CallOptions;
  /** If this one is let in as well, the finding belongs to another probe. */
  readonly stranger?: CallOptions;
}

/**
 * The guard cannot be bypassed without a token (BEARER-2). Nor can it be bypassed with a token that the service did
 * not generate (BEARER-3), which succeeds if the guard only checks that there is a token.
 * @throws UnreachableError
 */
export async function refusesBypasses(world: World, all: readonly Way[]): Promise<void> {
  const { service, account, contract } = world;
  const token = await service.issue(account);
  const valid = bearer(token);
  const authorised = await contract.admits(valid, 'BEARER-1');
  // An error is not recognised in another answer, nor is an empty body: a preflight, which needs no token, has none.
  if (!isEndpointAnswer(authorised, authorised) || authorised.body.length === 0) return;
  const ways = contract.selectPart(all, () => 2);
  const context = { world, valid, authorised, intruder: {} };
  const guarded = await guardedWays(context, ways, 'BEARER-2', '');
  for (const { how, secret } of alter(token.secret).slice(-1)) {
    const intruder = { authorization: seal`Bearer ${secret}` };
    await guardedWays({ ...context, intruder }, guarded, 'BEARER-3', `, and a token ${how}`);
  }
}

/** Nor can it be bypassed with an expired token (EXPIRY-2). @param authorised the answer to it before its end */
export async function refusesExpired(
  world: World,
  ways: readonly Way[],
  expired: Token,
  authorised: Answer,
): Promise<void> {
  const valid = bearer(await world.service.issue(world.account));
  const stranger = bearer(randomToken(expired));
  const context = { world, valid, authorised, intruder: bearer(expired), stranger };
  await guardedWays(context, ways, 'EXPIRY-2', ', and the token has expired');
}

/** A request by this way, with a token or without one. */
const requestBy = (way: Way, endpoint: Endpoint, as: CallOptions): CallOptions => ({
  ...as,
  ...mergeWay(way, endpoint, as.token && { TOKEN: as.token.secret }),
});

/** @returns the ways that were answered with 401: where no guard has answered, other intruders get nothing else */
async function guardedWays(
  context: Context,
  ways: readonly Way[],
  clause: MustId,
  reason: string,
): Promise<readonly Way[]> {
  const { world, valid, authorised, intruder } = context;
  const { service, endpoint, contract } = world;
  if (ways.length === 0) return [];
  const plain = await service.call(endpoint, intruder);
  if (isOwnAnswer(plain, authorised)) {
    // Then the finding belongs to another probe.
    contract.unproven('the endpoint is open without a valid token');
    return ways;
  }
  const guarded = new Set<Way>();
  const request = (way: Way): CallOptions => requestBy(way, endpoint, intruder);
  await search(world, ways, {
    valid,
    request,
    isRefusal({ status }, way) {
      if (status === 401) guarded.add(way);
      return status === 401 || status === plain.status;
    },
    isFault: async (answer, way) =>
      isOwnAnswer(answer, authorised) &&
      !(await isForEveryPath(context, answer, way)) &&
      !(await isOpenToStrangers(context, way)),
    async report(way, exchanged) {
      const control = await answerTo(world, requestBy(way, endpoint, valid));
      if (control === undefined || !likeHead(exchanged.answer, control, plain)) return;
      const expected = ownAnswer(exchanged.answer, authorised);
      const contrast = { control, authorised: expected, reason: `${describeWay(way)}${reason}` };
      await contract.judgeBypass(exchanged, clause, contrast);
    },
  });
  return ways.filter((way) => guarded.has(way));
}

/** Whether the intruder gets the endpoint's own answer: the same body, or JSON of the same form at every depth. */
function isOwnAnswer(answer: Answer, authorised: Answer): boolean {
  if (!isEndpointAnswer(answer, ownAnswer(answer, authorised))) return false;
  if (isHead(answer) || answer.body.equals(authorised.body)) return true;
  const [a, b] = [readJson(answer), readJson(authorised)];
  return a.is === 'json' && b.is === 'json' && haveSameForm(a.value, b.value);
}

/** The endpoint's own answer. A 206 counts as its 200, because the range may cover the whole body. */
const ownAnswer = ({ status }: Answer, authorised: Answer): Answer =>
  status === 206 && authorised.status === 200 ? { ...authorised, status } : authorised;

/** Whether two JSON values have the same form. An empty array has the form of any array. */
function haveSameForm(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === 0 || b.length === 0 || haveSameForm(a[0], b[0]);
  if (!isObject(a) || !isObject(b))
    return a === b || (typeof a === typeof b && typeof a !== 'object');
  const names = Object.keys({ ...a, ...b });
  return names.every((name) => haveSameForm(field(a, name), field(b, name)));
}

/**
 * Whether a nonexistent endpoint gets the same answer: then the answer is a welcome page or a health check. But if
 * the guard refuses the plain request to that endpoint, this way bypasses it everywhere.
 */
async function isForEveryPath(
  { world, intruder, authorised }: Context,
  answer: Answer,
  way: Way,
): Promise<boolean> {
  const nowhere = { ...world.endpoint, path: `${apiPrefix}no/such/endpoint` };
  const elsewhere = await answerTo(world, requestBy(way, nowhere, intruder), nowhere);
  if (elsewhere === undefined || !isEndpointAnswer(elsewhere, answer)) return false;
  if (!elsewhere.body.equals(answer.body) && answer.body.equals(authorised.body)) return false;
  const plain = await world.service.call(nowhere, intruder);
  return plain.status !== 401 || !isOwnAnswer(elsewhere, authorised);
}

async function isOpenToStrangers(
  { world, authorised, stranger }: Context,
  way: Way,
): Promise<boolean> {
  const strangerAnswer =
    stranger && (await answerTo(world, requestBy(way, world.endpoint, stranger)));
  return strangerAnswer !== undefined && isOwnAnswer(strangerAnswer, authorised);
}

/** An answer to HEAD has only headers: its length must equal the control's, and the plain request must be refused. */
function likeHead(answer: Answer, control: Answer, plain: Answer): boolean {
  if (!isHead(answer)) return true;
  const [length, controlLength] = [answer, control].map((each) => header(each, 'content-length'));
  return (
    plain.status === 401 &&
    (length === controlLength || length === undefined || controlLength === undefined)
  );
}
