import { isEndpointAnswer } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, header, isHead } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { apiPrefix, type CallOptions, type Endpoint } from '../http/request.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import { issueToken } from '../time/token-age.ts';
import { describeWay, mergeWay, type Way } from './deviation.ts';
import { answerTo, search } from './search.ts';
import { alterLast } from './tokens.ts';

/** What is known of the endpoint. */
interface Context {
  readonly world: World;
  readonly valid: CallOptions;
  /** The endpoint's own answer to a plain request with a valid token. */
  readonly authorised: Answer;
}

/** Who must not be let in: the request has no token, a forged one or an expired one. */
type Intruder = readonly [options: CallOptions, clause: MustId, text: string];

/**
 * The guard cannot be bypassed without a token (BEARER-2). Nor can it be bypassed with a token that the service did
 * not generate (BEARER-3), or that has expired (EXPIRY-2), which succeeds if the guard only checks that there is a
 * token, or one that was generated.
 * @throws UnreachableError
 */
export async function refusesBypasses(
  world: World,
  all: readonly Way[],
  expired?: Token,
): Promise<void> {
  const { service, account, contract } = world;
  const token = await (expired ? issueToken(world) : service.issue(account));
  const valid = bearer(token);
  const authorised = await contract.admits(valid, 'BEARER-1');
  // An error is not recognised in another answer, nor is an empty body: a preflight, which needs no token, has none.
  if (!isEndpointAnswer(authorised, authorised) || authorised.body.length === 0) return;
  const context = { world, valid, authorised };
  const { how, token: altered } = alterLast(token);
  const intruders: Intruder[] = [
    [{}, 'BEARER-2', ''],
    [bearer(altered), 'BEARER-3', `, and a token ${how}`],
  ];
  if (expired) intruders.push([bearer(expired), 'EXPIRY-2', ', and the token has expired']);
  let ways = contract.selectPart(all, () => intruders.length);
  // Where no guard has answered, or one intruder was let in, the others prove nothing else.
  for (const intruder of intruders) ways = await guardedWays(context, ways, intruder);
}

/** A request by this way, with a token or without one. */
const requestBy = (way: Way, endpoint: Endpoint, as: CallOptions): CallOptions => ({
  ...as,
  ...mergeWay(way, endpoint, as.token && { TOKEN: as.token.secret }),
});

/** @returns the ways on which a guard refused the intruder */
async function guardedWays(
  context: Context,
  ways: readonly Way[],
  [options, clause, intruderText]: Intruder,
): Promise<readonly Way[]> {
  const { world, valid, authorised } = context;
  const { service, endpoint, contract } = world;
  if (ways.length === 0) return [];
  const plain = await service.call(endpoint, options);
  if (isOwnAnswer(plain, authorised)) {
    // Then the finding belongs to another probe.
    contract.unproven('the endpoint is open without a valid token');
    return ways;
  }
  const guarded = new Set<Way>();
  await search(world, ways, {
    valid,
    request: (way) => requestBy(way, endpoint, options),
    isRefusal({ status }, way) {
      if (status === 401) guarded.add(way);
      return status === 401 || status === plain.status;
    },
    isFault: async (answer, way) =>
      isOwnAnswer(answer, authorised) && !(await isForEveryPath(context, answer, way, options)),
    async report(way, exchanged) {
      const control = await answerTo(world, requestBy(way, endpoint, valid));
      if (control === undefined || !isOwnAnswer(control, authorised)) return;
      const { answer } = exchanged;
      if (!isEndpointAnswer(answer, control) || !likeHead(answer, control, plain)) return;
      const reason = describeWay(way) + intruderText;
      // It need not lead to the guard.
      const expected = 'anything but what the endpoint answers when authorised';
      await contract.judgeRefusal(exchanged, clause, { control, reason, expected });
    },
  });
  return ways.filter((way) => guarded.has(way));
}

/** Whether it is the endpoint's own answer. A 206 counts as its 200, because the range may cover the whole body. */
function isOwnAnswer(answer: Answer, authorised: Answer): boolean {
  const status = answer.status === 206 ? authorised.status : answer.status;
  return isEndpointAnswer({ ...answer, status }, authorised);
}

/**
 * Whether a nonexistent endpoint gets the same answer: then the answer is a welcome page or a health check. But if
 * the guard refuses the plain request to that endpoint, this way bypasses it everywhere.
 */
async function isForEveryPath(
  { world, authorised }: Context,
  answer: Answer,
  way: Way,
  intruder: CallOptions,
): Promise<boolean> {
  const nowhere = { ...world.endpoint, path: `${apiPrefix}no/such/endpoint` };
  const elsewhere = await answerTo(world, requestBy(way, nowhere, intruder), nowhere);
  if (elsewhere === undefined || !isEndpointAnswer(elsewhere, answer)) return false;
  if (!elsewhere.body.equals(answer.body) && answer.body.equals(authorised.body)) return false;
  const plain = await world.service.call(nowhere, intruder);
  return plain.status !== 401 || !isOwnAnswer(elsewhere, authorised);
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
