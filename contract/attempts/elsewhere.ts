import { isEndpointAnswer, isSuccess, isWebPage, validating } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, outline } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import type { Secret, Token } from '../secrets/secret.ts';
import { madeUpLike } from '../token-form.ts';
import { type Guess, itemsOf, kindOf, optionsOf, optionsWith, withoutSecrets } from './items.ts';
import { packed } from './pack.ts';
import { type Question, search } from './search.ts';

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
  const authorised = await world.contract.admits(bearer(attack.token), 'BEARER-1');
  if (authorised.status === 401) return;
  const elsewhere = new Elsewhere(world, attack, authorised);
  if (!(await elsewhere.judgePlain(attack.guesses.filter(({ plain }) => plain)))) return;
  const others = attack.guesses.filter(({ plain }) => !plain);
  await search(packed(others, attack.real), elsewhere);
}

/** After this many requests without an answer a usual one is sent: the provider may be down. */
const mostUnanswered = 5;
/** If two servers share an address, only one of them may have the fault. */
const mostConfirmations = 3;

class Elsewhere<From> implements Question<Guess<From>> {
  readonly #world: World;
  readonly #attack: Attack<From>;
  readonly #authorised: Answer;
  /** The statuses of a refusal: 401, and those with which plain guesses were refused. */
  readonly #refusals = new Set([401]);
  /** Whether requests of a kind reach the guard, by `kindOf` their items. */
  readonly #reaches = new Map<string, boolean>();
  #unanswered = 0;

  constructor(world: World, attack: Attack<From>, authorised: Answer) {
    this.#world = world;
    this.#attack = attack;
    this.#authorised = authorised;
  }

  /** @returns whether other guesses can be judged: not if the endpoint answers everybody alike */
  async judgePlain(guesses: readonly Guess<From>[]): Promise<boolean> {
    const { contract } = this.#world;
    const { clause, real } = this.#attack;
    const requests = guesses.map((guess) => this.#optionsFor([guess], real));
    const all = await Promise.all(requests.map((request) => orNothing(contract.send(request))));
    for (const [index, { reason }] of guesses.entries()) {
      const request = requests[index] ?? {};
      const exchanged = all[index];
      const control = exchanged && (await this.#controlOf(request, exchanged.answer));
      // A request without an answer is judged too.
      if (exchanged === undefined)
        await contract.refuses(request, clause, { control: this.#authorised, reason });
      else if (control !== undefined) {
        const { status } = exchanged.answer;
        if (!this.#isUsual(status)) this.#refusals.add(status);
        await contract.judgeRefusal(exchanged, clause, { control, reason });
        if (status === this.#authorised.status) return false;
      }
    }
    return true;
  }

  send(group: readonly Guess<From>[]): Promise<Answer | undefined> {
    return this.#answerTo(this.#optionsFor(group, this.#attack.real));
  }

  isRefusal({ status }: Answer): boolean {
    return this.#refusals.has(status);
  }

  /** Whether the answer is the endpoint's, or differs from the answer to made-up secrets. */
  async isFault(answer: Answer, group: readonly Guess<From>[]): Promise<boolean> {
    const { status } = answer;
    const isOwn = isEndpointAnswer(answer, this.#authorised);
    const isInPath = itemsOf(group, this.#attack.real).some(({ part }) => part === 'path');
    if (isOwn && !isInPath) return true;
    const isAlike = status === this.#authorised.status;
    if (isInPath ? !isOwn : !isAlike && !isSuccess(status) && !validating.has(status)) return false;
    const other = await this.#answerTo(this.#optionsFor(group, this.#attack.madeUp));
    if (other === undefined) return false;
    // Something public may be at another path.
    if (isInPath) return other.status !== status;
    if (isAlike && other.status === status)
      this.#world.contract.unproven(
        `with and without a valid token the endpoint answers ${status}`,
      );
    // A proxy may have sent a page instead of the answer: the endpoint itself does not answer with pages.
    const isPage = isWebPage(answer) && !isWebPage(this.#authorised);
    return !isPage && this.#refusals.has(other.status);
  }

  /** Whether such a request reaches the endpoint when its header has a valid token and nothing else is secret. */
  async reachesGuard(group: readonly Guess<From>[]): Promise<boolean> {
    const items = itemsOf(group, this.#attack.real);
    const kind = kindOf(items);
    const known = this.#reaches.get(kind);
    if (known !== undefined) return known;
    const plain = optionsWith(withoutSecrets(items), this.#world.endpoint);
    const answer = await this.#answerTo({ ...plain, ...bearer(this.#attack.token) });
    // If there is no answer at all, the provider may be down: then this call throws.
    if (answer === undefined)
      await this.#world.service.call(this.#world.endpoint, bearer(this.#attack.token));
    const reached = answer?.status === this.#authorised.status;
    this.#reaches.set(kind, reached);
    return reached;
  }

  /** Reports guesses if a repeated request has the same result. A page that a proxy sends by chance does not recur. */
  async report(group: readonly Guess<From>[], answer: Answer): Promise<void> {
    const [first, ...others] = group;
    const more = others.length === 0 ? '' : `, together with ${others.length} other places`;
    for (let tries = 0; tries < mostConfirmations; tries++) {
      if ((await this.send(group))?.status !== answer.status) continue;
      return this.#world.contract.violated(this.#attack.clause, answer, {
        reason: `${first?.reason}${more}`,
        expected: '401, as without a valid token',
        received: outline(answer),
      });
    }
  }

  unproven([first]: readonly Guess<From>[]): void {
    this.#world.contract.unproven(`many requests were turned away: ${first?.reason}`);
  }

  /**
   * The same request with a valid token. If the server rejects that one too, the guard has not checked the guess, and
   * there is nothing to judge.
   */
  async #controlOf(options: CallOptions, { status }: Answer): Promise<Answer | undefined> {
    const hasAuthorization = Object.hasOwn(options.headers ?? {}, 'Authorization');
    if (this.#isUsual(status) || hasAuthorization) return this.#authorised;
    const { service, endpoint } = this.#world;
    const control = await service.call(endpoint, { ...bearer(this.#attack.token), ...options });
    return control.status === status ? undefined : control;
  }

  #isUsual(status: number): boolean {
    return status === 401 || status === this.#authorised.status || isSuccess(status);
  }

  #optionsFor(group: readonly Guess<From>[], from: From): CallOptions {
    const { token } = this.#attack;
    const options = optionsOf(group, from, this.#world.endpoint);
    return from === token.secret ? { ...options, token } : options;
  }

  /** The answer; undefined if a request is too unusual to get one, and a usual one does. @throws Unreachable */
  async #answerTo(options: CallOptions): Promise<Answer | undefined> {
    const { service, endpoint } = this.#world;
    const answer = await orNothing(service.call(endpoint, { ...options, mayFail: true }));
    if (answer === undefined && ++this.#unanswered % mostUnanswered === 0)
      await service.call(endpoint, bearer(this.#attack.token));
    return answer;
  }
}
