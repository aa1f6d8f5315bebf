import { breach, isSuccess } from '../../contract/admission.ts';
import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer, NoToken } from '../../contract/http/client.ts';
import { type Endpoint, endpointName } from '../../contract/http/request.ts';
import { Stopped, Unreachable } from '../../contract/http/unreachable.ts';
import { checkAlive } from '../../contract/round/preflight.ts';
import type { Secret, Token } from '../../contract/secrets/secret.ts';
import { hours, seconds } from '../../contract/time/clock.ts';
import { doubtedUntil } from '../loop/maintenance.ts';
import type { Time } from '../loop/time.ts';
import type { TracedClient } from '../round/traced-client.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import { ageAt, type Exchange, read } from './age.ts';
import { type Canary, type ClockDifference, checked, issued, lost, maybeOlder } from './canary.ts';
import { controlOf, isOdd, type QuotedAnswer, seenIn, unlessAccident } from './evidence.ts';
import type { FirstSights } from './first-sights.ts';
import type { Tolerance } from './verdict.ts';

export interface ClientContext {
  readonly openClient: (secrets?: readonly Secret[]) => Pick<TracedClient, 'client' | 'dated'>;
  readonly sights: FirstSights;
  readonly time: Time;
}

/** A check, the canary after it, and the client that sent it. */
interface CheckedCanary extends QuotedAnswer {
  readonly canary: Canary;
  readonly client: ApiClient;
}

/** A `Date` has whole seconds, and may be a second old: a smaller difference is not significant. */
const allowanceMs = 3_000;

/** How long a difference between clocks counts for tokens that are issued after it was observed. */
const countedMs = hours(24);

/**
 * Sends the requests of a target's canaries, and reads the clocks before and after each exchange: the provider's by
 * the `Date` of its answers, since only that can show that the whole machine was stopped. Servers behind one address
 * may have different clocks. Then a `Date` is behind an earlier one, which a stop cannot explain, and the ages of the
 * tokens of that time are known less exactly.
 */
export class CanaryClient {
  readonly #target: WatchedTarget;
  readonly #context: ClientContext;
  readonly #endpoint: Endpoint;
  /** How far the latest `Date` is ahead of the uptime. The uptime includes sleep, and is never ahead of real time. */
  #ahead: number | undefined;
  #differences: readonly ClockDifference[];

  /** @param known the differences at earlier checks. One of an earlier boot has another uptime */
  constructor(target: WatchedTarget, context: ClientContext, known: readonly ClockDifference[]) {
    this.#target = target;
    this.#context = context;
    // If possible, the request of a check changes nothing at the provider.
    this.#endpoint = target.endpoints.find(({ method }) => method === 'GET') ?? target.endpoints[0];
    this.#differences = known.filter(({ at }) => at <= context.time.uptime());
  }

  /** Requests a token, and uses it once. @returns without `canary` when it is refused @throws Unreachable, NoToken */
  async issue(): Promise<{ readonly token?: Secret; readonly canary?: Canary }> {
    const { openClient, sights } = this.#context;
    const { client, dated } = openClient();
    const issue = () => client.issue(this.#target.account);
    const { result, ...exchange } = await this.#timed(dated, issue);
    const token = result.secret;
    const first = await client.call(this.#endpoint, bearer(result));
    // An answer of a proxy is not the endpoint's answer.
    const isUsual = isSuccess(first.status);
    const { status } = isUsual ? first : await client.call(this.#endpoint, bearer(result));
    if (status === 401) return { token };
    return { token, canary: issued(exchange, status, sights.anchorOf(token)) };
  }

  /** Checks a canary, and again if the answer is unusual. @throws Unreachable */
  check(known: Canary, secret: Secret, tolerance: Tolerance): Promise<CheckedCanary> {
    const { sights, time, openClient } = this.#context;
    const { maintenance = [] } = this.#target;
    const { client, dated } = openClient([secret]);
    const use = () => client.call(this.#endpoint, bearer({ secret, madeAt: known.madeAt }));
    const quoted = { endpointName: endpointName(this.#endpoint), scrub: client.scrub };
    return unlessAccident(async () => {
      const { result: answer, s, r } = await this.#timed(dated, use);
      const clocksDiffer = this.#differenceFor(known);
      const provider = r.provider && r.provider + (clocksDiffer?.ms ?? 0);
      const exchange = { s, r: { ...r, provider } };
      const noted = { ...known, clocksDiffer };
      const before = sights.areReissued() ? maybeOlder(noted) : noted;
      const admitted = seenIn(answer, before, ageAt(before.anchor, exchange), tolerance);
      const isDoubtful = doubtedUntil(maintenance, known.admittedAt, time.wall()) !== undefined;
      const after = checked(before, { ...exchange, admitted, isDoubtful }, tolerance);
      return { client, before, answer, ...after, ...quoted };
    });
  }

  /**
   * Asks whether the answer to a canary has another reason than its age: everybody gets it (an outage, a maintenance
   * page, a proxy, a firewall), a new token ends the one before it, or the token may be older than it seems.
   * @returns what is known of the canary then; undefined if the answer counts
   */
  async unlessAged(shown: CheckedCanary): Promise<Canary | undefined> {
    const { before, answer, check, client } = shown;
    const { verdict, admitted, phase } = check;
    const isViolation = verdict === 'early_reject' || verdict === 'late_accept';
    const isStrange = isOdd(shown) && (admitted || phase === 'after');
    if (!isViolation && !isStrange) return undefined;
    const isAlike = (control: Answer): boolean =>
      answer.status === 401 ? control.status === 401 : breach(answer, control) === 'nothing proven';
    try {
      if (!admitted) {
        const young = await client.issue(this.#target.account);
        const control = await client.call(this.#endpoint, bearer(young));
        // The control from a day ago does not show that the endpoint has changed, or refuses everybody now.
        if (isAlike(control) || isAlike(controlOf(before, answer))) return before;
        if (verdict === 'early_reject') return await this.#unlessKept(shown, young);
      }
      if (answer.status !== 401) await checkAlive(client, this.#target.account, this.#endpoint);
      return undefined;
    } catch (error) {
      // If an expired token gets data, that counts also while the token endpoint cannot be judged.
      const isData = admitted && !isStrange;
      return isData && !(error instanceof Stopped) ? undefined : before;
    }
  }

  /** Whether a canary was refused because newer tokens end a young one, or are repeated. @throws Unreachable, NoToken */
  async #unlessKept({ before, client }: CheckedCanary, young: Token): Promise<Canary | undefined> {
    const { sights, time } = this.#context;
    const { account } = this.#target;
    await client.issue(account);
    // Many providers have only one token per second: that does not show how they issue the others.
    await new Promise<void>((resolve) => void time.after(seconds(2), resolve));
    await client.issue(account);
    if (sights.areReissued()) return maybeOlder(before);
    // If a new token ends the one before it, a probe reports that as a finding of its own (EXPIRY-4).
    const { status } = await client.call(this.#endpoint, bearer(young));
    return status === 401 ? lost(before) : undefined;
  }

  /** Sends a request, and reads the clocks before and after it. @param dated the `Date` of the latest answer */
  async #timed<Result>(
    dated: () => number | undefined,
    send: () => Promise<Result>,
  ): Promise<{ readonly result: Result } & Exchange> {
    const { time } = this.#context;
    // The provider's time is this or later, because the last answer may be hours old.
    const s = read(time, this.#ahead === undefined ? undefined : time.uptime() + this.#ahead);
    const result = await send();
    const r = read(time, dated());
    if (r.provider === undefined) return { result, s, r };
    // The `Date` was stamped between the request and the answer.
    const ms = this.#ahead === undefined ? 0 : this.#ahead - (r.provider - s.uptime);
    // Older differences count for no token that is younger than a day.
    const recent = this.#differences.filter(({ at }) => at >= r.uptime - 2 * countedMs);
    if (ms > allowanceMs) this.#differences = [...recent, { ms, at: r.uptime }];
    this.#ahead = r.provider - r.uptime;
    return { result, s, r };
  }

  /** The greatest difference between the clocks of the provider's servers that counts for a token. */
  #differenceFor({ anchor }: Canary): ClockDifference | undefined {
    const since = anchor.s.uptime - countedMs;
    const counting = this.#differences.filter(({ at }) => at >= since);
    return counting.toSorted((one, other) => other.ms - one.ms)[0];
  }
}

/** The probes report an outage. @throws any other error */
export function unanswered(error: unknown): undefined {
  if (error instanceof Unreachable || error instanceof NoToken) return undefined;
  throw error;
}
