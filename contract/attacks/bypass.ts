import { leadsTo } from '../admission.ts';
import { ahead } from '../ahead.ts';
import { type Answer, field, header, isObject, jsonOf } from '../http/answer.ts';
import { bearer } from '../http/client.ts';
import { type CallOptions, type Endpoint, prefix } from '../http/request.ts';
import { orNothing } from '../http/unreachable.ts';
import type { World } from '../probe.ts';
import { seal, type Token } from '../secrets/secret.ts';
import { altered } from '../token-form.ts';

/** A way around the guard, to any endpoint. */
export interface Bypass {
  /** How a request differs from a plain one, as a finding names it. */
  readonly reason: string;
  options(endpoint: Endpoint): CallOptions;
  /** If several guesses are combined, a half of them each. */
  readonly halves?: () => readonly Bypass[];
  /** Without its guesses it is a plain request. */
  readonly ordinary?: true;
  /** Another resource may be at this path, open to all: only the endpoint's own body proves a bypass. */
  readonly beside?: true;
  /** It may rightly be answered as a preflight, which has no body and needs no token. */
  readonly preflight?: true;
}

/** A request without a valid token: it has none, or one that the service did not generate. */
interface Guise {
  readonly clause: 'BEARER-2' | 'BEARER-3';
  readonly reason: string;
  readonly options: CallOptions;
}

/** How many requests with several guesses are split because of an unusual answer. */
const mostSplits = 8;

/**
 * The guard cannot be bypassed (BEARER-2), and neither can a half of it, which checks that there is a token but
 * not which one (BEARER-3). Each bypass is tried without a valid token. Only if the endpoint answers, a control
 * follows with a valid one.
 */
export async function refusesBypasses(world: World, bypasses: readonly Bypass[]): Promise<void> {
  const { service, account, endpoint, judge } = world;
  const token = await service.issue(account);
  const authorised = await service.call(endpoint, bearer(token));
  judge.admitted(authorised, 'BEARER-1');
  // If an endpoint answers an authorised request with an error, a bypass cannot be recognised.
  if (!leadsTo(authorised, authorised)) return;
  const search = new Search(world, token, authorised);
  await search.tryAll(
    bypasses.filter(({ preflight }) => preflight === undefined || authorised.body.length > 0),
  );
}

/** A search for bypasses of the guard of one endpoint. */
class Search {
  readonly #world: World;
  readonly #token: Token;
  readonly #authorised: Answer;
  readonly #guises: Guise[];
  readonly #plain = new Map<Guise, Answer>();
  #splits = 0;

  constructor(world: World, token: Token, authorised: Answer) {
    this.#world = world;
    this.#token = token;
    this.#authorised = authorised;
    const forged = altered(token.secret).slice(-1);
    this.#guises = [
      { clause: 'BEARER-2', reason: '', options: {} },
      ...forged.map(({ how, secret }) => ({
        clause: 'BEARER-3' as const,
        reason: `, and a token ${how}`,
        options: { authorization: seal`Bearer ${secret}` },
      })),
    ];
  }

  async tryAll(bypasses: readonly Bypass[]): Promise<void> {
    const answers = ahead(this.#world.slots, bypasses, (bypass) => this.#askEach(bypass));
    for await (const [bypass, found] of answers) await this.#judge(bypass, found);
  }

  /** The answers to a bypass in one form after the other, as long as they are refusals. */
  async #askEach(bypass: Bypass): Promise<ReadonlyMap<Guise, Answer | undefined>> {
    const found = new Map<Guise, Answer | undefined>();
    for (const guise of [...this.#guises]) {
      const answer = await this.#send(bypass, guise.options);
      found.set(guise, answer);
      if (answer?.status !== 401) break;
    }
    return found;
  }

  async #judge(bypass: Bypass, found: ReadonlyMap<Guise, Answer | undefined>): Promise<void> {
    for (const guise of [...this.#guises]) {
      const answer = found.has(guise) ? found.get(guise) : await this.#send(bypass, guise.options);
      if (answer !== undefined && this.#isIn(answer, bypass)) {
        if (await this.#report(bypass, guise, answer)) return;
      } else if (answer?.status !== 401 && answer?.status !== (await this.#plainly(guise)).status)
        return this.#split(bypass);
    }
  }

  /** A part of a request prevents the effect of the rest: a firewall refuses it, or a proxy routes it elsewhere. */
  async #split({ halves, ordinary }: Bypass): Promise<void> {
    if (halves === undefined || ordinary === undefined || this.#splits >= mostSplits) return;
    this.#splits += 1;
    await this.tryAll(halves());
  }

  /** @returns whether the bypass works, and not the token's form alone */
  async #report(found: Bypass, guise: Guise, first: Answer): Promise<boolean> {
    const { judge } = this.#world;
    const plain = await this.#plainly(guise);
    if (this.#isIn(plain)) {
      // If the guard is not needed for it, the finding belongs to another probe.
      this.#guises.splice(this.#guises.indexOf(guise), 1);
      judge.unproven('the endpoint is open to requests without a valid token');
      return false;
    }
    const [bypass, answer] = await this.#culprit(found, guise, first);
    const authorised = this.#authorisedAs(answer);
    if (await this.#isForAll(bypass, guise, answer)) return true;
    const control = await this.#send(bypass, bearer(this.#token));
    const reason = `${bypass.reason}${guise.reason}`;
    if (control !== undefined && likeHead(answer, control, plain))
      judge.shut(answer, guise.clause, { control, authorised, reason });
    return true;
  }

  /** The smallest of several combined guesses that works. */
  async #culprit(bypass: Bypass, guise: Guise, answer: Answer): Promise<[Bypass, Answer]> {
    for (const half of bypass.halves?.() ?? []) {
      const again = await this.#send(half, guise.options);
      if (again !== undefined && this.#isIn(again, bypass))
        return this.#culprit(half, guise, again);
    }
    return [bypass, answer];
  }

  /** Whether a nonexistent endpoint gets the same answer: then it is a welcome page or a health check. */
  async #isForAll(bypass: Bypass, guise: Guise, answer: Answer): Promise<boolean> {
    const nowhere = { ...this.#world.endpoint, path: `${prefix}no/such/endpoint` };
    const other = await orNothing(
      this.#world.service.call(nowhere, {
        ...bypass.options(nowhere),
        ...guise.options,
        mayFail: true,
      }),
    );
    if (other === undefined || !leadsTo(other, answer)) return false;
    const { body } = this.#authorised;
    return other.body.equals(answer.body) || !answer.body.equals(body);
  }

  #isIn(answer: Answer, { beside }: Pick<Bypass, 'beside'> = {}): boolean {
    const authorised = this.#authorisedAs(answer);
    if (beside === true && !answer.body.equals(authorised.body)) return false;
    return leadsTo(answer, authorised) && (isHead(answer) || isAlike(answer, authorised));
  }

  /** The endpoint's own answer: a range over the whole body counts as the same. */
  #authorisedAs({ status }: Answer): Answer {
    const authorised = this.#authorised;
    return status === 206 && authorised.status === 200 ? { ...authorised, status } : authorised;
  }

  async #plainly(guise: Guise): Promise<Answer> {
    const { service, endpoint } = this.#world;
    const plain = this.#plain.get(guise) ?? (await service.call(endpoint, guise.options));
    this.#plain.set(guise, plain);
    return plain;
  }

  #send(bypass: Bypass, options: CallOptions): Promise<Answer | undefined> {
    const { service, endpoint } = this.#world;
    return orNothing(
      service.call(endpoint, { ...bypass.options(endpoint), ...options, mayFail: true }),
    );
  }
}

/** An answer to HEAD has only headers: it must have the length of the authorised one, and GET must be refused. */
function likeHead(answer: Answer, control: Answer, plain: Answer): boolean {
  if (!isHead(answer)) return true;
  const [length, other] = [answer, control].map((one) => header(one, 'content-length'));
  return plain.status === 401 && (length === other || length === undefined || other === undefined);
}

const isHead = ({ request }: Answer): boolean => request.line.startsWith('HEAD ');

/** Whether bodies are equal, or JSON of the same form at every depth: every answer has the same envelope. */
function isAlike(answer: Answer, authorised: Answer): boolean {
  if (answer.body.equals(authorised.body)) return true;
  const [one, other] = [jsonOf(answer), jsonOf(authorised)];
  return one.is === 'json' && other.is === 'json' && haveOneForm(one.value, other.value);
}

/** An empty list shows nothing of its elements. */
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
