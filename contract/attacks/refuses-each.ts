import { isEndpointAnswer, isSuccess, isWebPage, validating } from '../admission.ts';
import { ahead } from '../ahead.ts';
import { type Answer, outline } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { CallOptions } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import {
  type Attack,
  type Guess,
  isOwnKind,
  isPlaced,
  itemsOf,
  kindOf,
  optionsOf,
  optionsWith,
  withoutSecrets,
} from './guess.ts';
import { groupsOf, type PlacedGuesses } from './guess-groups.ts';

/** This many admitted guesses are reported; the others are not examined. */
const mostFound = 3;
/** Enough for all guesses with a token of 500 characters; with a longer one, the last are omitted. */
const mostGroups = 40;
/** The most requests for splitting groups, and how many may remain without an answer before a usual one is sent. */
const mostSplits = 60;
const mostUnanswered = 5;
/** If two servers share an address, only one of them may have the fault. */
const mostConfirmations = 3;

/**
 * The endpoint refuses each of many guesses. Plain ones are judged one by one. The others are combined in one
 * request, where their names allow it. A combined request is split in halves if it is admitted, to name the cause. It
 * is also split if the server rejects it as a whole (too long, two credentials at once), because then the guard has
 * not checked it.
 * @throws Unreachable
 */
export async function refusesEach<From>(world: World, attack: Attack<From>): Promise<void> {
  const { service, endpoint, judge } = world;
  const authorised = await service.call(endpoint, bearer(attack.token));
  judge.admitted(authorised, 'BEARER-1');
  if (authorised.status !== 401) await new GuessSearch(world, attack, authorised).run();
}

type Effect = 'refused' | 'admitted' | 'turned away';

class GuessSearch<From> {
  readonly #world: World;
  readonly #attack: Attack<From>;
  readonly #authorised: Answer;
  /** The statuses of a refusal: 401, and those with which plain guesses were refused. */
  readonly #refusals = new Set([401]);
  /** Whether requests of a kind reach the endpoint at all, by `kindOf` their items. */
  readonly #reaches = new Map<string, boolean>();
  #scale = 1;
  #found = 0;
  #splits = mostSplits;
  #unanswered = 0;
  #isUndecidable = false;
  /** Names that are rejected in every place. */
  readonly #closed = new Set<string>();

  constructor(world: World, attack: Attack<From>, authorised: Answer) {
    this.#world = world;
    this.#attack = attack;
    this.#authorised = authorised;
  }

  async run(): Promise<void> {
    const { guesses, real } = this.#attack;
    const { endpoint, service } = this.#world;
    const plain = guesses.filter((guess) => guess.plain);
    const answers = ahead(plain, (guess) =>
      service.call(endpoint, this.#optionsFor([guess], real)),
    );
    for await (const [guess, answer] of answers) {
      await this.#judgePlain(guess, answer);
      if (this.#isOver()) return;
    }
    let rest = guesses.filter((guess) => !guess.plain);
    const placed: PlacedGuesses<From> = new Map();
    for (let left = mostGroups; rest.length > 0 && left > 0 && !this.#isOver(); ) {
      const groups = groupsOf(rest, real, { scale: this.#scale, most: left, placed });
      const tried = await this.#tryGroups(groups);
      const done = new Set(tried.flat());
      const isClosed = (name: string): boolean => this.#closed.has(name);
      rest = rest.filter((guess) => !done.has(guess) && !this.#namesOf(guess).some(isClosed));
      left -= tried.length;
    }
  }

  /** Tries groups until an answer makes other groups necessary. @returns the groups that were tried */
  async #tryGroups(groups: readonly Guess<From>[][]): Promise<readonly Guess<From>[][]> {
    const scale = this.#scale;
    const closed = this.#closed.size;
    let tried = 0;
    const answers = ahead(groups, (group) => this.#send(group));
    for await (const [group, answer] of answers) {
      await this.#judgeGroup(group, answer);
      tried += 1;
      if (this.#isOver() || scale !== this.#scale || closed !== this.#closed.size) break;
    }
    return groups.slice(0, tried);
  }

  #send(group: readonly Guess<From>[]): Promise<Answer | undefined> {
    return this.#answerTo(this.#optionsFor(group, this.#attack.real));
  }

  #isOver(): boolean {
    return this.#isUndecidable || this.#found >= mostFound;
  }

  async #judgePlain(guess: Guess<From>, answer: Answer): Promise<void> {
    const { endpoint, service, judge } = this.#world;
    const { clause, token, real } = this.#attack;
    const { reason } = guess;
    const { status } = answer;
    const options = this.#optionsFor([guess], real);
    if (status === 401 || status === this.#authorised.status || isSuccess(status)) {
      judge.refused(answer, clause, { control: this.#authorised, reason });
      if (status !== 401) this.#found += 1;
      if (status === this.#authorised.status) this.#isUndecidable = true;
      return;
    }
    // If the server rejects the request even with a valid token in its header, the guard has not checked it.
    const control = Object.hasOwn(options.headers ?? {}, 'Authorization')
      ? this.#authorised
      : await service.call(endpoint, { ...bearer(token), ...options });
    if (control.status === status) return;
    this.#refusals.add(status);
    judge.refused(answer, clause, { control, reason });
  }

  /** @param part whether the group is a part of a larger one */
  async #judgeGroup(group: readonly Guess<From>[], answer?: Answer, part = false): Promise<Effect> {
    if (answer !== undefined && this.#refusals.has(answer.status)) return 'refused';
    const admitted = answer !== undefined && (await this.#isAdmitted(answer, group));
    if (admitted && group.length === 1) await this.#report(group, answer);
    const [first, ...others] = group;
    if (first !== undefined && others.length === 0 && !admitted)
      for (const name of this.#namesOf(first)) this.#closed.add(name);
    const effect = admitted ? 'admitted' : 'turned away';
    if (others.length === 0 || this.#isUndecidable) return effect;
    if (!admitted && !part && !(await this.#isReached(group))) return 'turned away';
    if (this.#splits < 2) {
      if (admitted) await this.#report(group, answer);
      else this.#world.judge.unproven(`many requests were turned away: ${first?.reason}`);
      return effect;
    }
    const ends = await this.#split(group);
    if (ends.includes('admitted')) return 'admitted';
    if (admitted && !this.#isOver()) await this.#report(group, answer);
    if (admitted || ends.includes('turned away')) return effect;
    this.#scale /= 2;
    return 'refused';
  }

  async #split(group: readonly Guess<From>[]): Promise<Effect[]> {
    this.#splits -= 2;
    const middle = Math.ceil(group.length / 2);
    const ends: Effect[] = [];
    for (const half of [group.slice(0, middle), group.slice(middle)])
      ends.push(
        this.#isOver() ? 'refused' : await this.#judgeGroup(half, await this.#send(half), true),
      );
    return ends;
  }

  /** Whether the answer is the endpoint's, or differs from the answer to made-up secrets. */
  async #isAdmitted(answer: Answer, group: readonly Guess<From>[]): Promise<boolean> {
    const isOwn = isEndpointAnswer(answer, this.#authorised);
    const { status } = answer;
    if (isPlaced(group, this.#attack.real)) return isOwn && this.#needsReal(group, status);
    if (isOwn) return true;
    const same = status === this.#authorised.status;
    if (!same && !isSuccess(status) && !validating.has(status)) return false;
    const other = await this.#answerTo(this.#optionsFor(group, this.#attack.madeUp));
    if (other === undefined) return false;
    if (same && other.status === status) {
      this.#isUndecidable = true;
      this.#world.judge.unproven(`with and without a valid token the endpoint answers ${status}`);
    }
    // A proxy may have sent a page instead of the answer: the endpoint itself does not answer with pages.
    const isPage = isWebPage(answer) && !isWebPage(this.#authorised);
    return !isPage && this.#refusals.has(other.status);
  }

  /** Whether made-up secrets get another status: something public may be at another path. */
  async #needsReal(group: readonly Guess<From>[], status: number): Promise<boolean> {
    const other = await this.#answerTo(this.#optionsFor(group, this.#attack.madeUp));
    return other !== undefined && other.status !== status;
  }

  /** Whether such a request reaches the endpoint when its header has a valid token and nothing else is secret. */
  async #isReached(group: readonly Guess<From>[]): Promise<boolean> {
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

  #namesOf({ put }: Guess<From>): string[] {
    return put(this.#attack.real).flatMap((item) => (isOwnKind(item) ? [] : [item.name]));
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

  /** Reports a guess if a repeated request has the same result. A page that a proxy sends by chance does not recur. */
  async #report(group: readonly Guess<From>[], answer: Answer): Promise<void> {
    let confirmed = false;
    for (let tries = 0; tries < mostConfirmations && !confirmed; tries += 1) {
      const again = await this.#answerTo(this.#optionsFor(group, this.#attack.real));
      confirmed = again?.status === answer.status;
    }
    if (!confirmed) return;
    this.#found += 1;
    const [first, ...others] = group;
    const more = others.length === 0 ? '' : `, together with ${others.length} other places`;
    this.#world.judge.broken(this.#attack.clause, answer, {
      reason: `${first?.reason ?? ''}${more}`,
      expected: '401, as without a valid token',
      received: outline(answer),
    });
  }
}
