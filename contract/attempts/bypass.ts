import { isEndpointAnswer } from '../admission.ts';
import { type Answer, header, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { type CallOptions, prefix } from '../http/request.ts';
import { field, isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import { seal, type Token } from '../secrets/secret.ts';
import { described, merged, type Way } from './deviation.ts';
import { answerTo, search } from './search.ts';
import { altered } from './tokens.ts';

/** A caller without a valid token: it has none, or one that the service did not generate. */
interface Intruder {
  readonly clause: 'BEARER-2' | 'BEARER-3';
  readonly reason: string;
  readonly options: CallOptions;
}

/** A caller without a valid token, and what is known of the endpoint. */
interface Context extends Intruder {
  readonly world: World;
  readonly valid: CallOptions;
  /** The endpoint's own answer to a plain request with a valid token. */
  readonly authorised: Answer;
  /** The answer to a plain request of the intruder. */
  readonly plain: Answer;
}

/**
 * The guard cannot be bypassed without a token (BEARER-2). Nor can it be bypassed with a token that the service did
 * not generate (BEARER-3), which succeeds if the guard only checks that there is a token.
 * @throws Unreachable
 */
export async function refusesBypasses(world: World, ways: readonly Way[]): Promise<void> {
  const { service, account, endpoint, contract } = world;
  const token = await service.issue(account);
  const valid = bearer(token);
  const authorised = await contract.admits(valid, 'BEARER-1');
  // If an endpoint answers an authorised request with an error, a bypass cannot be recognised.
  if (!isEndpointAnswer(authorised, authorised)) return;
  const isBodiless = authorised.body.length === 0;
  let due = ways.filter((way) => !isBodiless || !way.some(({ preflight }) => preflight));
  const cached = due.filter((way) => way.some((deviation) => deviation.cached));
  await Promise.all(cached.map((way) => answerTo(world, { ...merged(way, endpoint), ...valid })));
  for (const intruder of intruders(token)) {
    if (due.length === 0) return;
    const plain = await service.call(endpoint, intruder.options);
    // Then the finding belongs to another probe.
    if (isIn(plain, authorised)) contract.unproven('the endpoint is open without a valid token');
    else due = await guardedFrom({ world, valid, authorised, plain, ...intruder }, due);
  }
}

const intruders = (token: Token): readonly Intruder[] => [
  { clause: 'BEARER-2', reason: '', options: {} },
  ...altered(token.secret)
    .slice(-1)
    .map(({ how, secret }): Intruder => {
      const options = { authorization: seal`Bearer ${secret}` };
      return { clause: 'BEARER-3', reason: `, and a token ${how}`, options };
    }),
];

/** @returns the ways that were answered with 401: where no guard has answered, other intruders get nothing else */
async function guardedFrom(context: Context, ways: readonly Way[]): Promise<Way[]> {
  const { world, valid, authorised, plain, clause, options, reason } = context;
  const { endpoint, contract } = world;
  const guarded = new Set<Way>();
  await search(world, ways, {
    valid,
    request: (way) => ({ ...merged(way, endpoint), ...options }),
    isRefusal({ status }, way) {
      if (status === 401) guarded.add(way);
      return status === 401 || status === plain.status;
    },
    async isFault(answer, way) {
      const isBeside = way.some(({ beside }) => beside);
      if (isBeside && !answer.body.equals(authorised.body)) return false;
      return isIn(answer, authorised) && !(await isForAll(context, answer, way));
    },
    async report(way, exchanged) {
      const { answer } = exchanged;
      const control = await answerTo(world, { ...merged(way, endpoint), ...valid });
      if (control === undefined || !likeHead(answer, control, plain)) return;
      const own = asIn(answer, authorised);
      const contrast = { control, authorised: own, reason: `${described(way)}${reason}` };
      await contract.judgeBypass(exchanged, clause, contrast);
    },
  });
  return ways.filter((way) => guarded.has(way));
}

/** Whether the intruder gets the endpoint's own answer. */
const isIn = (answer: Answer, authorised: Answer): boolean =>
  isEndpointAnswer(answer, asIn(answer, authorised)) &&
  (isHead(answer) || isAlike(answer, authorised));

/** The endpoint's own answer. A 206 counts as its 200, because the range may cover the whole body. */
const asIn = ({ status }: Answer, authorised: Answer): Answer =>
  status === 206 && authorised.status === 200 ? { ...authorised, status } : authorised;

/**
 * Whether a nonexistent endpoint gets the same answer: then the answer is a welcome page or a health check. But if
 * the guard refuses the plain request to that endpoint, this way bypasses it everywhere.
 */
async function isForAll(
  { world, options, authorised }: Context,
  answer: Answer,
  way: Way,
): Promise<boolean> {
  const nowhere = { ...world.endpoint, path: `${prefix}no/such/endpoint` };
  const other = await answerTo(world, { ...merged(way, nowhere), ...options }, nowhere);
  if (other === undefined || !isEndpointAnswer(other, answer)) return false;
  if (!other.body.equals(answer.body) && answer.body.equals(authorised.body)) return false;
  const plain = await world.service.call(nowhere, options);
  return plain.status !== 401 || !isIn(other, authorised);
}

/** An answer to HEAD has only headers: its length must equal the control's, and the plain request must be refused. */
function likeHead(answer: Answer, control: Answer, plain: Answer): boolean {
  if (!isHead(answer)) return true;
  const [length, other] = [answer, control].map((one) => header(one, 'content-length'));
  return plain.status === 401 && (length === other || length === undefined || other === undefined);
}

/** Whether bodies are equal, or JSON of the same form at every depth: every answer has the same envelope. */
function isAlike(answer: Answer, authorised: Answer): boolean {
  if (answer.body.equals(authorised.body)) return true;
  const [one, other] = [jsonOf(answer), jsonOf(authorised)];
  return one.is === 'json' && other.is === 'json' && haveOneForm(one.value, other.value);
}

/** Whether two JSON values have the same form. An empty array has the form of any array. */
function haveOneForm(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === 0 || other.length === 0 || haveOneForm(one[0], other[0]);
  if (!isObject(one) || !isObject(other))
    return one === other || (typeof one === typeof other && typeof one !== 'object');
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => haveOneForm(one[name], field(other, name)))
  );
}
