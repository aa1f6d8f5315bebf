import { isEndpointAnswer } from '../admission.ts';
import { ahead } from '../ahead.ts';
import { type Answer, header, isHead, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { type CallOptions, type Endpoint, prefix } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import { field, isObject } from '../json-value.ts';
import type { World } from '../probe.ts';
import { seal, type Token } from '../secrets/secret.ts';
import { altered } from '../token-form.ts';

/** A way around the guard, to any endpoint. */
export interface Bypass {
  /** How a request differs from a plain one, as a finding names it. */
  readonly reason: string;
  options(endpoint: Endpoint): CallOptions;
  /** If the request combines several guesses: two bypasses, each with half of them. */
  readonly halves?: () => readonly Bypass[];
  /** Without its guesses the request is a plain one. */
  readonly ordinary?: true;
  /** A public resource may be at this path, so only the endpoint's own body proves a bypass. */
  readonly beside?: true;
  /** A cache may keep the answer to an authorised request (web cache deception): such a request goes before it. */
  readonly cached?: boolean;
  /** The provider may answer it as a preflight, which has no body and needs no token. */
  readonly preflight?: true;
}

/** A caller without a valid token: it has none, or one that the service did not generate. */
interface Intruder {
  readonly clause: 'BEARER-2' | 'BEARER-3';
  readonly reason: string;
  readonly options: CallOptions;
}

/** At most this many combined requests are split because of an unusual answer. */
const mostSplits = 8;

/**
 * The guard cannot be bypassed without a token (BEARER-2). Nor can it be bypassed with a token that the service did
 * not generate (BEARER-3), which succeeds if the guard only checks that there is a token. Each bypass is tried
 * without a valid token. A control with a valid token follows only if the endpoint answers.
 */
export async function refusesBypasses(world: World, bypasses: readonly Bypass[]): Promise<void> {
  const { service, account, endpoint, judge } = world;
  const token = await service.issue(account);
  const authorised = await service.call(endpoint, bearer(token));
  judge.admitted(authorised, 'BEARER-1');
  // If an endpoint answers an authorised request with an error, a bypass cannot be recognised.
  if (!isEndpointAnswer(authorised, authorised)) return;
  const search = new BypassSearch(world, token, authorised);
  await search.tryAll(
    bypasses.filter(({ preflight }) => preflight === undefined || authorised.body.length > 0),
  );
}

class BypassSearch {
  readonly #world: World;
  readonly #token: Token;
  readonly #authorised: Answer;
  readonly #intruders: Intruder[];
  readonly #plain = new Map<Intruder, Answer>();
  #splits = 0;

  constructor(world: World, token: Token, authorised: Answer) {
    this.#world = world;
    this.#token = token;
    this.#authorised = authorised;
    const forged = altered(token.secret).slice(-1);
    this.#intruders = [
      { clause: 'BEARER-2', reason: '', options: {} },
      ...forged.map(({ how, secret }) => ({
        clause: 'BEARER-3' as const,
        reason: `, and a token ${how}`,
        options: { authorization: seal`Bearer ${secret}` },
      })),
    ];
  }

  async tryAll(bypasses: readonly Bypass[]): Promise<void> {
    const answers = ahead(bypasses, (bypass) => this.#sendEach(bypass));
    for await (const [bypass, found] of answers) await this.#judge(bypass, found);
  }

  /** Sends a bypass without a token, then with an altered one, and stops at the first answer that is not a refusal. */
  async #sendEach(bypass: Bypass): Promise<ReadonlyMap<Intruder, Answer | undefined>> {
    const found = new Map<Intruder, Answer | undefined>();
    if (bypass.cached === true) await this.#send(bypass, bearer(this.#token));
    for (const intruder of [...this.#intruders]) {
      const answer = await this.#send(bypass, intruder.options);
      found.set(intruder, answer);
      if (answer?.status !== 401) break;
    }
    return found;
  }

  async #judge(bypass: Bypass, found: ReadonlyMap<Intruder, Answer | undefined>): Promise<void> {
    for (const intruder of [...this.#intruders]) {
      const answer = found.has(intruder)
        ? found.get(intruder)
        : await this.#send(bypass, intruder.options);
      if (answer !== undefined && this.#isIn(answer, bypass)) {
        if (await this.#report(bypass, intruder, answer)) return;
      } else if (
        answer?.status !== 401 &&
        answer?.status !== (await this.#plainAnswer(intruder)).status
      )
        return this.#split(bypass);
    }
  }

  /** One part of a request may hide the effect of the rest: a firewall refuses it, or a proxy routes it elsewhere. */
  async #split({ halves, ordinary }: Bypass): Promise<void> {
    if (halves === undefined || ordinary === undefined || this.#splits >= mostSplits) return;
    this.#splits += 1;
    await this.tryAll(halves());
  }

  /** @returns whether the search is done with this bypass; false if the request succeeds without the bypass too */
  async #report(found: Bypass, intruder: Intruder, first: Answer): Promise<boolean> {
    const { judge } = this.#world;
    const plain = await this.#plainAnswer(intruder);
    if (this.#isIn(plain)) {
      // The request is admitted without the bypass too, so the finding belongs to another probe.
      this.#intruders.splice(this.#intruders.indexOf(intruder), 1);
      judge.unproven('the endpoint is open to requests without a valid token');
      return false;
    }
    const [bypass, answer] = await this.#smallestPart(found, intruder, first);
    const authorised = this.#authorisedAs(answer);
    if (await this.#isForAll(bypass, intruder, answer)) return true;
    const control = await this.#send(bypass, bearer(this.#token));
    const reason = `${bypass.reason}${intruder.reason}`;
    if (control !== undefined && likeHead(answer, control, plain))
      judge.shut(answer, intruder.clause, { control, authorised, reason });
    return true;
  }

  /** The smallest part of a combination of guesses that bypasses the guard alone. */
  async #smallestPart(
    bypass: Bypass,
    intruder: Intruder,
    answer: Answer,
  ): Promise<[Bypass, Answer]> {
    for (const half of bypass.halves?.() ?? []) {
      const again = await this.#send(half, intruder.options);
      if (again !== undefined && this.#isIn(again, bypass))
        return this.#smallestPart(half, intruder, again);
    }
    return [bypass, answer];
  }

  /** Whether a nonexistent endpoint gets the same answer: then the answer is a welcome page or a health check. */
  async #isForAll(bypass: Bypass, intruder: Intruder, answer: Answer): Promise<boolean> {
    const nowhere = { ...this.#world.endpoint, path: `${prefix}no/such/endpoint` };
    const other = await orNothing(
      this.#world.service.call(nowhere, {
        ...bypass.options(nowhere),
        ...intruder.options,
        mayFail: true,
      }),
    );
    if (other === undefined || !isEndpointAnswer(other, answer)) return false;
    const { body } = this.#authorised;
    return other.body.equals(answer.body) || !answer.body.equals(body);
  }

  #isIn(answer: Answer, { beside }: Pick<Bypass, 'beside'> = {}): boolean {
    const authorised = this.#authorisedAs(answer);
    if (beside === true && !answer.body.equals(authorised.body)) return false;
    return isEndpointAnswer(answer, authorised) && (isHead(answer) || isAlike(answer, authorised));
  }

  /** The endpoint's own answer. A 206 counts as its 200, because the range may cover the whole body. */
  #authorisedAs({ status }: Answer): Answer {
    const authorised = this.#authorised;
    return status === 206 && authorised.status === 200 ? { ...authorised, status } : authorised;
  }

  async #plainAnswer(intruder: Intruder): Promise<Answer> {
    const { service, endpoint } = this.#world;
    const plain = this.#plain.get(intruder) ?? (await service.call(endpoint, intruder.options));
    this.#plain.set(intruder, plain);
    return plain;
  }

  #send(bypass: Bypass, options: CallOptions): Promise<Answer | undefined> {
    const { service, endpoint } = this.#world;
    return orNothing(
      service.call(endpoint, { ...bypass.options(endpoint), ...options, mayFail: true }),
    );
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
  const one = jsonOf(answer);
  const other = jsonOf(authorised);
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
