import { type ApiClient, bearer } from '../../contract/http/client.ts';
import { type Endpoint, endpointName } from '../../contract/http/request.ts';
import { Stopped } from '../../contract/http/unreachable.ts';
import { checkAlive } from '../../contract/round/preflight.ts';
import type { Secret, Token } from '../../contract/secrets/secret.ts';
import { seconds } from '../../contract/time/clock.ts';
import { doubtedUntil } from '../loop/maintenance.ts';
import type { Time } from '../loop/time.ts';
import type { TracedClient } from '../round/traced-client.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { ageAt } from './age.ts';
import { controlOf, isAlike, isOdd, needsControl, seenIn, unlessAccident } from './answer.ts';
import {
  type Canary,
  type ClockDifference,
  checked,
  type Issue,
  maybeOlder,
  silenced,
} from './canary.ts';
import type { CheckedAnswer } from './evidence.ts';
import type { FirstSights } from './first-sights.ts';
import { ProviderClock } from './provider-clock.ts';
import type { Tolerance } from './verdict.ts';

export interface ClientContext {
  readonly openClient: (secrets?: readonly Secret[]) => Pick<TracedClient, 'client' | 'dated'>;
  readonly sights: Pick<FirstSights, 'anchorOf' | 'areReissued' | 'mayBeOlder'>;
  readonly time: Time;
}

/** A check, the canary after it, and the client that sent it. */
interface CheckedCanary extends CheckedAnswer {
  readonly canary: Canary;
  readonly client: ApiClient;
}

/** Why a canary gets an answer that its age does not explain. `everybody is`: every token gets it. */
export type OtherReason = 'everybody is' | 'a newer token is' | 'it may have been older';

/** Sends the requests of a target's canaries, and reads the clocks before and after each exchange. */
export class CanaryClient {
  readonly #target: WatchedTarget;
  readonly #context: ClientContext;
  readonly #endpoint: Endpoint;
  readonly #clock: ProviderClock;

  /** @param differences between the clocks of the provider's servers, that are known already */
  constructor(
    target: WatchedTarget,
    context: ClientContext,
    differences: readonly ClockDifference[],
  ) {
    this.#target = target;
    this.#context = context;
    // If possible, the request of a check changes nothing at the provider.
    this.#endpoint = target.endpoints.find(({ method }) => method === 'GET') ?? target.endpoints[0];
    this.#clock = new ProviderClock(context.time, differences);
  }

  /**
   * Requests a token, and uses it once. @throws Unreachable @throws NoToken
   * @returns without `issue` when the token is refused
   */
  async issue(): Promise<{ readonly token: Token; readonly issue?: Issue }> {
    const { client, dated } = this.#context.openClient();
    const request = () => client.issue(this.#target.account);
    const { result: token, s, r } = await this.#clock.timed(dated, request);
    const first = await client.call(this.#endpoint, bearer(token));
    // An answer of a proxy is not the endpoint's answer.
    const isUsual = first.status >= 200 && first.status < 300;
    const { status } = isUsual ? first : await client.call(this.#endpoint, bearer(token));
    if (status === 401) return { token };
    const firstSeen = this.#context.sights.anchorOf(token.secret);
    return { token, issue: { s, r, controlStatus: status, firstSeen } };
  }

  /** Checks a canary, and again if the answer is unusual. @throws Unreachable */
  check(known: Canary, token: Secret, tolerance: Tolerance): Promise<CheckedCanary> {
    const { sights, time, openClient } = this.#context;
    const { maintenance = [] } = this.#target;
    const { client, dated } = openClient([token]);
    const options = bearer({ secret: token, madeAt: known.madeAt });
    const request = () => client.call(this.#endpoint, options);
    return unlessAccident(async () => {
      const { result: answer, s, r } = await this.#clock.timed(dated, request);
      const clocksDiffer = this.#clock.differenceFor(known.anchor.s.uptime);
      const latest = r.provider && r.provider + (clocksDiffer?.ms ?? 0);
      const exchange = { s, r: { ...r, provider: latest } };
      const noted = { ...known, clocksDiffer };
      const aged = sights.areReissued() ? maybeOlder(noted) : noted;
      const doubt = doubtedUntil(maintenance, known.admittedAt, time.wall());
      const before = doubt === undefined ? aged : silenced(aged, doubt);
      const admitted = seenIn(answer, before, ageAt(before.anchor, exchange), tolerance);
      const after = checked(before, { ...exchange, admitted }, tolerance);
      const named = { endpointName: endpointName(this.#endpoint), scrub: client.scrub };
      return { client, before, answer, ...after, ...named };
    });
  }

  /**
   * Why the answer to a canary may have another reason than its age: everybody gets it (an outage, a maintenance
   * page, a proxy), a new token ends the one before it, or the canary may be older than it seems.
   * @returns undefined if it counts
   */
  async otherReason(shown: CheckedCanary): Promise<OtherReason | undefined> {
    const { before, answer, check, client } = shown;
    if (!needsControl(shown)) return undefined;
    try {
      if (!check.admitted) {
        const young = await client.issue(this.#target.account);
        const control = await client.call(this.#endpoint, bearer(young));
        // The control from a day ago does not show that the endpoint has changed, or refuses everybody now.
        const isForAll = isAlike(answer, control) || isAlike(answer, controlOf(before, answer));
        if (isForAll) return 'everybody is';
        if (check.verdict === 'early_reject') return await this.#endedBy(client, young);
      }
      if (answer.status !== 401) await checkAlive(client, this.#target.account, this.#endpoint);
      return undefined;
    } catch (error) {
      // Nothing but its age explains that an expired token gets data, even if the token endpoint fails.
      const isData = check.admitted && !isOdd(shown);
      return isData && !(error instanceof Stopped) ? undefined : 'everybody is';
    }
  }

  /** Whether new tokens end a young one, or are repeated. @throws Unreachable @throws NoToken */
  async #endedBy(client: ApiClient, young: Token): Promise<OtherReason | undefined> {
    const { sights, time } = this.#context;
    const { account } = this.#target;
    await client.issue(account);
    // Many providers have only one token per second: that does not show how they issue the others.
    await new Promise<void>((resolve) => void time.after(seconds(2), resolve));
    await client.issue(account);
    if (sights.mayBeOlder()) return 'it may have been older';
    const { status } = await client.call(this.#endpoint, bearer(young));
    return status === 401 ? 'a newer token is' : undefined;
  }
}
