import { isEndpointAnswer } from '../admission.ts';
import { type Answer, header, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { type CallOptions, prefix } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import { field, isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import { seal, type Token } from '../secrets/secret.ts';
import { altered } from '../token-form.ts';
import { type Deviation, described, merged } from './deviation.ts';
import { type Question, search } from './search.ts';

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
    const bypass = new Bypass(world, { token, authorised, intruder, plain });
    // Then the finding belongs to another probe.
    if (bypass.isIn(plain)) contract.unproven('the endpoint is open without a valid token');
    else {
      await search(due, bypass);
      // Where no guard has answered, an intruder with a token gets nothing else.
      due = due.filter((way) => bypass.guarded.has(way));
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
}

class Bypass implements Question<Deviation> {
  /** The ways that were answered with 401. */
  readonly guarded = new Set<readonly Deviation[]>();
  readonly #world: World;
  readonly #context: BypassContext;

  constructor(world: World, context: BypassContext) {
    this.#world = world;
    this.#context = context;
  }

  async send(way: readonly Deviation[]): Promise<Answer | undefined> {
    const { intruder, token } = this.#context;
    if (intruder.clause === 'BEARER-2' && way.some(({ cached }) => cached))
      await orNothing(this.#call(way, bearer(token)));
    return orNothing(this.#call(way, intruder.options));
  }

  isRefusal({ status }: Answer, way: readonly Deviation[]): boolean {
    if (status === 401) this.guarded.add(way);
    return status === 401 || status === this.#context.plain.status;
  }

  async isFault(answer: Answer, way: readonly Deviation[]): Promise<boolean> {
    const isBeside = way.some(({ beside }) => beside);
    return this.isIn(answer, isBeside) && !(await this.#isForAll(answer, way));
  }

  async report(way: readonly Deviation[], answer: Answer): Promise<void> {
    const { intruder, token, plain } = this.#context;
    const control = await orNothing(this.#call(way, bearer(token)));
    if (control === undefined || !likeHead(answer, control, plain)) return;
    const again = (): Promise<Answer> => this.#call(way, intruder.options);
    await this.#world.contract.judgeBypass({ answer, again }, intruder.clause, {
      control,
      authorised: this.#authorisedAs(answer),
      reason: `${described(way)}${intruder.reason}`,
    });
  }

  /** @param isBeside whether a public resource may have given the answer */
  isIn(answer: Answer, isBeside = false): boolean {
    const authorised = this.#authorisedAs(answer);
    if (isBeside && !answer.body.equals(authorised.body)) return false;
    return isEndpointAnswer(answer, authorised) && (isHead(answer) || isAlike(answer, authorised));
  }

  /**
   * Whether a nonexistent endpoint gets the same answer: then the answer is a welcome page or a health check. But if
   * the guard refuses the plain request to that endpoint, this way bypasses it everywhere.
   */
  async #isForAll(answer: Answer, way: readonly Deviation[]): Promise<boolean> {
    const { intruder, authorised } = this.#context;
    const nowhere = { ...this.#world.endpoint, path: `${prefix}no/such/endpoint` };
    const other = await orNothing(this.#call(way, intruder.options, nowhere));
    if (other === undefined || !isEndpointAnswer(other, answer)) return false;
    if (!other.body.equals(answer.body) && answer.body.equals(authorised.body)) return false;
    const plain = await this.#world.service.call(nowhere, intruder.options);
    return plain.status !== 401 || !this.isIn(other);
  }

  /** The endpoint's own answer. A 206 counts as its 200, because the range may cover the whole body. */
  #authorisedAs({ status }: Answer): Answer {
    const { authorised } = this.#context;
    return status === 206 && authorised.status === 200 ? { ...authorised, status } : authorised;
  }

  #call(
    way: readonly Deviation[],
    options: CallOptions,
    to = this.#world.endpoint,
  ): Promise<Answer> {
    return this.#world.service.call(to, { ...merged(way, to), ...options, mayFail: true });
  }
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
