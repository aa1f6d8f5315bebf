import { breach } from '../../contract/admission.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer } from '../../contract/http/client.ts';
import { type Endpoint, endpointName } from '../../contract/http/request.ts';
import { Stopped } from '../../contract/http/unreachable.ts';
import { checkAlive } from '../../contract/round/preflight.ts';
import type { Secret, Token } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import { doubtedUntil } from '../loop/maintenance.ts';
import type { Time } from '../loop/time.ts';
import type { TracedClient } from '../round/traced-client.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { ageAt, type Exchange } from './age.ts';
import { type Canary, type Check, checked, type Issue, maybeOlder, silenced } from './canary.ts';
import { isOdd, seenIn, unlessAccident } from './canary-answer.ts';
import type { FirstSights } from './first-sights.ts';
import { ProviderClock, widened } from './provider-clock.ts';

/** How long a difference between the servers' clocks counts for tokens that are issued after it was observed. */
const countedMs = hours(24);

export interface CanaryClientContext {
  readonly openClient: (secrets?: readonly Secret[]) => TracedClient;
  readonly sights: Pick<FirstSights, 'anchorOf' | 'areReissued' | 'mayBeOlder'>;
  readonly time: Time;
}

export interface NewToken extends Exchange {
  readonly token: Token;
  readonly client: ApiClient;
}

/** A check of a canary, the canary before and after it, and the client that sent it. */
export interface CheckedCanary extends TracedClient {
  readonly before: Canary;
  readonly exchange: Exchange;
  readonly answer: Answer;
  readonly canary: Canary;
  readonly check: Check;
}

/** Why a canary gets an answer that its age does not explain. `everybody is`: every token gets it. */
export type OtherReason = 'everybody is' | 'a newer token is' | 'it may have been older';

/** Sends the requests of a target's canaries, and reads the clocks before and after each exchange. */
export class CanaryClient {
  readonly #target: WatchedTarget;
  readonly #context: CanaryClientContext;
  readonly #endpoint: Endpoint;
  readonly #clock: ProviderClock;

  constructor(target: WatchedTarget, context: CanaryClientContext) {
    this.#target = target;
    this.#context = context;
    // If possible, the request of a check changes nothing at the provider.
    this.#endpoint = target.endpoints.find(({ method }) => method === 'GET') ?? target.endpoints[0];
    this.#clock = new ProviderClock(context.time);
  }

  /** Asks for a token. @throws Unreachable @throws NoToken */
  async issue(): Promise<NewToken> {
    const { client, dated } = this.#context.openClient();
    const { result, ...exchange } = await this.#clock.timed(dated, () =>
      client.issue(this.#target.account),
    );
    return { token: result, client, ...exchange };
  }

  /**
   * Sends a request with a token that was just issued.
   * @returns undefined when it is refused
   * @throws Unreachable
   */
  async admit({ token, client, s, r }: NewToken): Promise<Issue | undefined> {
    const show = () => client.call(this.#endpoint, bearer(token));
    const first = await show();
    // An answer of a proxy is not the endpoint's answer.
    const { status } = first.status >= 200 && first.status < 300 ? first : await show();
    if (status === 401) return undefined;
    const firstSeen = this.#context.sights.anchorOf(token.secret);
    return { s, r, endpoint: endpointName(this.#endpoint), controlStatus: status, firstSeen };
  }

  /** Checks a canary, and again if the answer is unusual. @throws Unreachable */
  async show(
    known: Canary,
    token: Secret,
    tolerance: { toleranceMs: number },
  ): Promise<CheckedCanary> {
    const { sights, time, openClient } = this.#context;
    this.#clock.recall(known.clocksDiffer);
    const traced = openClient([token]);
    const shown = bearer({ secret: token, madeAt: known.madeAt });
    return unlessAccident(async () => {
      const { result, s, r } = await this.#clock.timed(traced.dated, () =>
        traced.client.call(this.#endpoint, shown),
      );
      const clocksDiffer = this.#clock.differenceSince(known.anchor.s.uptime - countedMs);
      const exchange = { s, r: widened(r, clocksDiffer) };
      const doubt = doubtedUntil(this.#target.maintenance ?? [], known.admittedAt, time.wall());
      const noted = { ...known, clocksDiffer };
      const aged = sights.areReissued() ? maybeOlder(noted) : noted;
      const before = doubt === undefined ? aged : silenced(aged, doubt);
      const admitted = seenIn(result, before, ageAt(before.anchor, exchange), tolerance);
      const after = checked(before, { ...exchange, admitted }, tolerance);
      return { ...traced, before, exchange, answer: result, ...after };
    });
  }

  /** Why an answer may have another cause than the age of the canary: only where it would prove something. */
  async otherReason(shown: CheckedCanary): Promise<OtherReason | undefined> {
    const { answer, check, client } = shown;
    if (check.verdict === 'early_reject') return this.#reasonOfRefusal(client);
    const isPage = check.verdict !== 'wrong_answer' && isOdd(shown);
    const isForAll =
      answer.status === 401
        ? isPage && check.phase === 'after' && (await this.#isRefused(client))
        : (isPage || check.verdict === 'late_accept') && (await this.#hasStopped(client, isPage));
    return isForAll ? 'everybody is' : undefined;
  }

  /** Why a canary may be refused too early, other than by its age; called only after such a refusal. */
  async #reasonOfRefusal(client: ApiClient): Promise<OtherReason | undefined> {
    const { sights, time } = this.#context;
    const { account } = this.#target;
    try {
      const young = bearer(await client.issue(account));
      if ((await client.call(this.#endpoint, young)).status === 401) return 'everybody is';
      await client.issue(account);
      // Many providers have only one token per second: that does not show how they issue the others.
      await new Promise<void>((resolve) => void time.after(seconds(2), resolve));
      await client.issue(account);
      if (sights.mayBeOlder()) return 'it may have been older';
      const { status } = await client.call(this.#endpoint, young);
      return status === 401 ? 'a newer token is' : undefined;
    } catch {
      return 'everybody is';
    }
  }

  /**
   * Whether a wrong answer after the end shows nothing about the canary: a valid token gets it too, or there is none.
   * The control from a day ago does not show that the endpoint has changed, or that a firewall answers everybody.
   */
  async isForEverybody({ answer, check, client }: CheckedCanary): Promise<boolean> {
    if (check.verdict !== 'wrong_answer' || check.phase !== 'after') return false;
    try {
      const young = bearer(await client.issue(this.#target.account));
      const other = await client.call(this.#endpoint, young);
      return breach(answer, other) === 'nothing proven' || (await this.#hasStopped(client));
    } catch {
      return true;
    }
  }

  /** Whether a valid token is refused too, or there is none. */
  async #isRefused(client: ApiClient): Promise<boolean> {
    try {
      const young = bearer(await client.issue(this.#target.account));
      return (await client.call(this.#endpoint, young)).status === 401;
    } catch {
      return true;
    }
  }

  /**
   * Whether the provider answers every path alike: a maintenance page, for instance.
   * @param isPage whether it may also be a page while the token endpoint cannot be judged
   */
  async #hasStopped(client: ApiClient, isPage = false): Promise<boolean> {
    try {
      await checkAlive(client, this.#target.account, this.#endpoint);
      return false;
    } catch (error) {
      return isPage || error instanceof Stopped;
    }
  }
}
