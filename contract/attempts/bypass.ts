import { isEndpointAnswer } from '../admission.ts';
import { type Answer, header, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { type CallOptions, prefix } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import { field, isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import { seal, type Token } from '../secrets/secret.ts';
import { type Deviation, described, merged } from './deviation.ts';
import { type Question, search } from './search.ts';
import { altered } from './tokens.ts';

/** A caller without a valid token: it has none, or one that the service did not generate. */
interface Intruder {
  readonly clause: 'BEARER-2' | 'BEARER-3';
  readonly reason: string;
  readonly options: CallOptions;
}

/**
 * The guard cannot be bypassed without a token (BEARER-2). Nor can it be bypassed with a token that the service did
 * not generate (BEARER-3), which succeeds if the guard only checks that there is a token.
 * @param ways each is one request, of one or several deviations
 * @throws Unreachable
 */
export async function refusesBypasses(
  world: World,
  ways: readonly (readonly Deviation[])[],
): Promise<void> {
  const { service, account, endpoint, contract } = world;
  const token = await service.issue(account);
  const authorised = await contract.admits(bearer(token), 'BEARER-1');
  // If an endpoint answers an authorised request with an error, a bypass cannot be recognised.
  if (!isEndpointAnswer(authorised, authorised)) return;
  const isBodiless = authorised.body.length === 0;
  let due = ways.filter((way) => !isBodiless || !way.some(({ preflight }) => preflight));
  for (const intruder of intruders(token)) {
    if (due.length === 0) return;
    const plain = await service.call(endpoint, intruder.options);
    // Then the finding belongs to another probe.
    if (isIn(plain, authorised)) contract.unproven('the endpoint is open without a valid token');
    else {
      const guarded = new Set<readonly Deviation[]>();
      await search(due, bypassing(world, { token, authorised, intruder, plain, guarded }));
      // Where no guard has answered, an intruder with a token gets nothing else.
      due = due.filter((way) => guarded.has(way));
    }
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

interface BypassContext {
  readonly token: Token;
  /** The endpoint's own answer to a plain request with a valid token. */
  readonly authorised: Answer;
  readonly intruder: Intruder;
  /** The answer to a plain request of the intruder. */
  readonly plain: Answer;
  /** The ways that were answered with 401. */
  readonly guarded: Set<readonly Deviation[]>;
}

function bypassing(world: World, context: BypassContext): Question<Deviation> {
  const { token, authorised, intruder, plain, guarded } = context;
  const { options, clause } = intruder;
  return {
    async send(way) {
      if (clause === 'BEARER-2' && way.some(({ cached }) => cached))
        await orNothing(call(world, way, bearer(token)));
      return orNothing(call(world, way, options));
    },
    isRefusal({ status }, way) {
      if (status === 401) guarded.add(way);
      return status === 401 || status === plain.status;
    },
    async isFault(answer, way) {
      const isBeside = way.some(({ beside }) => beside);
      if (isBeside && !answer.body.equals(authorised.body)) return false;
      return isIn(answer, authorised) && !(await isForAll(world, context, answer, way));
    },
    async report(way, answer) {
      const control = await orNothing(call(world, way, bearer(token)));
      if (control === undefined || !likeHead(answer, control, plain)) return;
      await world.contract.judgeBypass({ answer, again: () => call(world, way, options) }, clause, {
        control,
        authorised: asIn(answer, authorised),
        reason: `${described(way)}${intruder.reason}`,
      });
    },
  };
}

const call = (
  { service, endpoint }: World,
  way: readonly Deviation[],
  options: CallOptions,
  to = endpoint,
): Promise<Answer> => service.call(to, { ...merged(way, to), ...options, mayFail: true });

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
  world: World,
  { intruder: { options }, authorised }: BypassContext,
  answer: Answer,
  way: readonly Deviation[],
): Promise<boolean> {
  const nowhere = { ...world.endpoint, path: `${prefix}no/such/endpoint` };
  const other = await orNothing(call(world, way, options, nowhere));
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
