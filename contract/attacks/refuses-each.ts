import { isWebPage, leadsTo } from '../admission.ts';
import type { MustId } from '../clauses.ts';
import { type Answer, outline } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import type { Ask } from '../http/request.ts';
import { Unreachable } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import type { Token } from '../secrets/secret.ts';
import {
  askOf,
  askWith,
  type Guess,
  harmless,
  isOwnKind,
  itemsOf,
  kindOf,
  type PlacedGuesses,
  takeGroup,
} from './guess.ts';

/** What is guessed, and with what. */
export interface Attack<From> {
  readonly clause: MustId;
  readonly guesses: readonly Guess<From>[];
  /** A valid token, for the control. */
  readonly token: Token;
  /** The secrets in the guesses. */
  readonly real: From;
  /** The same, made up: if the answer differs from the answer to this, the secret was read. */
  readonly madeUp: From;
}

/** This many successful guesses are named; the others are not examined. */
const mostFound = 3;
/** Enough for all guesses with a token of 500 characters; with a longer one, the last are omitted. */
const mostGroups = 40;
/** The most requests for splitting groups, and the most that may remain without an answer. */
const mostSplits = 60;
const mostSilent = 5;
/** If two servers share an address, only one of them may have the fault. */
const mostConfirmations = 3;

/**
 * The endpoint refuses each of many guesses. Plain ones are judged one by one. The others are combined in one
 * request, where their names allow it. A combined request is split by halves if it is admitted, to name the
 * cause; or if it is rejected as a whole (too long, two credentials at once), because then the guard has not
 * checked it.
 * @throws Unreachable
 */
export async function refusesEach<From>(world: World, attack: Attack<From>): Promise<void> {
  const { service, endpoint, judge } = world;
  const authorised = await service.call(endpoint, bearer(attack.token));
  judge.admitted(authorised, 'BEARER-1');
  if (authorised.status !== 401) await new Search(world, attack, authorised).run();
}

type Ending = 'refused' | 'let in' | 'turned away';

class Search<From> {
  readonly #world: World;
  readonly #attack: Attack<From>;
  readonly #authorised: Answer;
  /** The statuses of a refusal: 401, and what a plain guess was refused with. */
  readonly #refusals = new Set([401]);
  /** Whether a kind of request reaches the endpoint at all, by its parts. */
  readonly #reaches = new Map<string, boolean>();
  #scale = 1;
  #found = 0;
  #splits = mostSplits;
  #silent = 0;
  #blind = false;
  /** Names that are rejected in every place. */
  readonly #closed = new Set<string>();

  constructor(world: World, attack: Attack<From>, authorised: Answer) {
    this.#world = world;
    this.#attack = attack;
    this.#authorised = authorised;
  }

  async run(): Promise<void> {
    const { guesses, real } = this.#attack;
    for (const guess of guesses.filter(({ plain }) => plain)) await this.#judgePlain(guess);
    let rest = guesses.filter(({ plain }) => !plain);
    const placed: PlacedGuesses<From> = new Map();
    for (let groups = 0; rest.length > 0 && groups < mostGroups && !this.#isOver(); groups += 1) {
      const [group, later] = takeGroup(rest, real, this.#scale, placed);
      await this.#try(group, true);
      rest =
        this.#closed.size === 0
          ? later
          : later.filter((guess) => !this.#namesOf(guess).some((name) => this.#closed.has(name)));
    }
  }

  #isOver(): boolean {
    return this.#blind || this.#found >= mostFound;
  }

  async #judgePlain(guess: Guess<From>): Promise<void> {
    if (this.#isOver()) return;
    const { endpoint, service, judge } = this.#world;
    const { clause, token } = this.#attack;
    const { reason } = guess;
    const ask = this.#askFor([guess], this.#attack.real);
    const answer = await service.call(endpoint, ask);
    const { status } = answer;
    if (status === 401 || status === this.#authorised.status || isSuccess(status)) {
      judge.refused(answer, clause, { control: this.#authorised, reason });
      if (status !== 401) this.#found += 1;
      if (status === this.#authorised.status) this.#blind = true;
      return;
    }
    // If it is rejected even with a valid token in its header, the guard has not checked it.
    const control = Object.hasOwn(ask.headers ?? {}, 'Authorization')
      ? this.#authorised
      : await service.call(endpoint, { ...bearer(token), ...ask });
    if (control.status === status) return;
    this.#refusals.add(status);
    judge.refused(answer, clause, { control, reason });
  }

  /** @param whole whether it is a complete group, not a part of one */
  async #try(group: readonly Guess<From>[], whole: boolean): Promise<Ending> {
    if (this.#isOver()) return 'refused';
    const { real } = this.#attack;
    const answer = await this.#answerTo(this.#askFor(group, real));
    if (answer !== undefined && this.#refusals.has(answer.status)) return 'refused';
    const letIn = answer !== undefined && (await this.#isLetIn(answer, group));
    if (letIn && group.length === 1) await this.#report(group, answer);
    const [first, ...others] = group;
    if (first !== undefined && others.length === 0 && !letIn)
      for (const name of this.#namesOf(first)) this.#closed.add(name);
    if (others.length === 0 || this.#blind) return letIn ? 'let in' : 'turned away';
    if (!letIn && whole && !(await this.#isReached(group))) return 'turned away';
    if (this.#splits < 2) {
      if (letIn) await this.#report(group, answer);
      else this.#world.judge.unproven(`many requests were turned away: ${first?.reason}`);
      return letIn ? 'let in' : 'turned away';
    }
    const ends = await this.#split(group);
    if (letIn && !ends.includes('let in') && !this.#isOver()) await this.#report(group, answer);
    if (letIn || ends.includes('let in')) return 'let in';
    if (ends.includes('turned away')) return 'turned away';
    this.#scale /= 2;
    return 'refused';
  }

  async #split(group: readonly Guess<From>[]): Promise<Ending[]> {
    this.#splits -= 2;
    const middle = Math.ceil(group.length / 2);
    return [
      await this.#try(group.slice(0, middle), false),
      await this.#try(group.slice(middle), false),
    ];
  }

  /** Whether the answer is the endpoint's, or differs from the answer to made-up secrets. */
  async #isLetIn(answer: Answer, group: readonly Guess<From>[]): Promise<boolean> {
    if (leadsTo(answer, this.#authorised)) return true;
    const { status } = answer;
    const same = status === this.#authorised.status;
    if (!same && !isSuccess(status) && !validating.has(status)) return false;
    const other = await this.#answerTo(this.#askFor(group, this.#attack.madeUp));
    if (other === undefined) return false;
    if (same && other.status === status) {
      this.#blind = true;
      this.#world.judge.unproven(`with and without a valid token the endpoint answers ${status}`);
    }
    // A proxy sometimes sends a page instead of the answer: it is not from an endpoint that answers differently.
    const isPage = isWebPage(answer) && !isWebPage(this.#authorised);
    return !isPage && this.#refusals.has(other.status);
  }

  /** Whether such a request reaches the endpoint when its header has a valid token and nothing else is secret. */
  async #isReached(group: readonly Guess<From>[]): Promise<boolean> {
    const items = itemsOf(group, this.#attack.real);
    const kind = kindOf(items);
    const known = this.#reaches.get(kind);
    if (known !== undefined) return known;
    const ask = {
      ...askWith(harmless(items), this.#world.endpoint),
      ...bearer(this.#attack.token),
    };
    const answer = await this.#answerTo(ask);
    // No answer at all may be an outage, which this would find out.
    if (answer === undefined)
      await this.#world.service.call(this.#world.endpoint, bearer(this.#attack.token));
    const reached = answer?.status === this.#authorised.status;
    this.#reaches.set(kind, reached);
    return reached;
  }

  #namesOf({ put }: Guess<From>): string[] {
    const items = put(this.#attack.real).filter((item) => !isOwnKind(item));
    return items.map(({ name }) => name);
  }

  #askFor(group: readonly Guess<From>[], from: From): Ask {
    const { token } = this.#attack;
    const carried: unknown = from;
    return {
      ...askOf(group, from, this.#world.endpoint),
      ...(carried === token.secret ? { token } : {}),
    };
  }

  /** The answer; nothing where a request that is too odd gets none, as long as these are few. */
  async #answerTo(ask: Ask): Promise<Answer | undefined> {
    try {
      return await this.#world.service.call(this.#world.endpoint, ask);
    } catch (error) {
      this.#silent += 1;
      if (error instanceof Unreachable && this.#silent <= mostSilent) return undefined;
      throw error;
    }
  }

  /** Reports what is let in once more: a page of a proxy that comes by chance does not. */
  async #report(group: readonly Guess<From>[], answer: Answer): Promise<void> {
    let confirmed = false;
    for (let tries = 0; tries < mostConfirmations && !confirmed; tries += 1) {
      const again = await this.#answerTo(this.#askFor(group, this.#attack.real));
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

const isSuccess = (status: number): boolean => status === 101 || (status >= 200 && status < 300);

/** What an endpoint says of an authorised request that lacks a parameter, and no firewall says. */
const validating: ReadonlySet<number> = new Set([409, 422]);
