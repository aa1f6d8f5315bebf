import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer, type Service } from '../../contract/http/client.ts';
import { type CallOptions, type Endpoint, isPlain } from '../../contract/http/request.ts';
import type { Account, Secret, Token } from '../../contract/secrets/secret.ts';
import { lifetime, minutes } from '../../contract/time/clock.ts';
import { type Instant, instantOf, mostSince, type Readings } from '../schedule/elapsed.ts';

/** A 401 for a token that should still be valid. The answer is not scrubbed, so it may quote the token. */
export interface Rejection {
  readonly token: Token;
  /** The maximum age of the token. */
  readonly ageMs: number;
  readonly answer: Answer;
}

/**
 * The elapsed time must continue while the machine is suspended. Otherwise a token that expires meanwhile would seem to
 * be refused too early.
 */
export interface TokenClientOptions extends Readings {
  /** Sends calls and token requests. The keys are sent only to the token endpoint (CALLER-1). */
  readonly service: Pick<Service, 'issue' | 'call'>;
  readonly account: Account;
  /** The age from which a token is not used any more; by default five minutes before its end. */
  readonly renewAfterMs?: number;
  /** Called once for each token that is refused too early, before it is renewed. */
  readonly onUnexpected?: (rejection: Rejection) => void;
}

/** A token, and the earliest instant of its issue. */
interface KeptToken {
  readonly token: Token;
  readonly since: Instant;
  refused: boolean;
}

/**
 * A caller of the API that keeps one token, and renews it when it expires or is refused (CALLER-3). It starts
 * without a token. Calls during a renewal wait for that one exchange.
 */
export class TokenClient {
  readonly #options: TokenClientOptions;
  readonly #renewAfterMs: number;
  readonly #known = new WeakMap<Token, KeptToken>();
  #kept: KeptToken | undefined;
  #latest: KeptToken | undefined;
  #renewal: Promise<KeptToken> | undefined;

  constructor(options: TokenClientOptions) {
    this.#options = options;
    this.#renewAfterMs = options.renewAfterMs ?? lifetime - minutes(5);
  }

  /**
   * Calls an endpoint with the kept token. After a 401 it repeats the call once with a new token; that answer is
   * final.
   * @throws NoToken
   * @throws Unreachable
   */
  async call(
    endpoint: Endpoint,
    options: Omit<CallOptions, 'authorization' | 'token'> = {},
  ): Promise<Answer> {
    const { service } = this.#options;
    const first = await this.#current();
    const answer = await service.call(endpoint, { ...options, ...bearer(first.token) });
    if (answer.status !== 401) return answer;
    this.#discard(first, answer);
    const second = await this.#current();
    const again = await service.call(endpoint, { ...options, ...bearer(second.token) });
    // The new token is kept in spite of the 401: if an endpoint refuses every token, each call would otherwise cost
    // two.
    if (again.status === 401) this.#record(second, again);
    return again;
  }

  /** The kept token, or a new one, which is then kept. @throws NoToken @throws Unreachable */
  async token(): Promise<Token> {
    return (await this.#current()).token;
  }

  /** The current token. A client needs it to scrub answers that may quote it. */
  held(): readonly Secret[] {
    return this.#kept === undefined ? [] : [this.#kept.token.secret];
  }

  /** Drops a token that came from `token()`. @param refusal its 401, which is recorded if it came too early */
  discard(token: Token, refusal?: Answer): void {
    this.#discard(this.#known.get(token), refusal);
  }

  /** Whether a token that came from `token()` may have expired, by any clock, including the provider's. */
  mayHaveEnded(token: Token): boolean {
    const one = this.#known.get(token);
    return one !== undefined && mostSince(one.since, this.#options) >= this.#renewAfterMs;
  }

  async #current(): Promise<KeptToken> {
    const kept = this.#kept;
    if (kept !== undefined && this.#options.now() - kept.since.now < this.#renewAfterMs)
      return kept;
    // All waiting callers get the error of a failed renewal; the next call starts a new renewal.
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<KeptToken> {
    const { service, account, ahead } = this.#options;
    const requested = instantOf(this.#options);
    const token = await service.issue(account);
    // Before the exchange the last `Date` may be older than a step of this machine's clock, which `now` counts as time.
    const before = requested.ahead;
    const after = ahead?.();
    const least = before === undefined ? after : Math.min(before, after ?? before);
    const age = { since: { ...requested, ahead: least } };
    // A provider may return the same valid token again; its age does not change.
    const isAgain = this.#latest?.token.secret.equals(token.secret) === true;
    const kept = { ...age, ...(isAgain ? this.#latest : {}), token, refused: false };
    this.#kept = this.#latest = kept;
    this.#known.set(token, kept);
    return kept;
  }

  #record(one: KeptToken, answer: Answer): void {
    const ageMs = mostSince(one.since, this.#options);
    if (!one.refused && ageMs < lifetime)
      this.#options.onUnexpected?.({ token: one.token, ageMs, answer });
    one.refused = true;
  }

  #discard(one: KeptToken | undefined, refusal?: Answer): void {
    if (one !== undefined && refusal !== undefined) this.#record(one, refusal);
    if (one === this.#kept) this.#kept = undefined;
  }
}

/**
 * A service that returns a caller's kept token instead of new ones, for probes that accept any token. If a plain
 * request with it gets a 401, the caller records the 401 and drops the token.
 */
export function keptService(client: Service & Pick<ApiClient, 'learn'>, tokenClient: TokenClient) {
  const handed = new Set<Token>();
  let refused = false;

  const over = (service: Service): Service => ({
    async issue() {
      const token = await tokenClient.token();
      // Another request may have renewed the token after this client was opened.
      client.learn(token.secret);
      handed.add(token);
      return token;
    },
    exchange: service.exchange,
    async call(endpoint, options = {}) {
      const answer = await service.call(endpoint, options);
      const { token } = options;
      if (answer.status === 401 && token !== undefined && handed.has(token))
        if (isPlain(options, token.secret)) {
          refused = true;
          tokenClient.discard(token, answer);
        }
      return answer;
    },
    connection: (use, sharing) => service.connection((one) => use(over(one)), sharing),
  });
  return {
    ...over(client),
    /** Whether the kept token was refused in a plain request. If so, findings with it prove nothing. */
    refusedKept: (): boolean => refused,
    /** Whether a token that was handed out may have expired, by any clock. */
    mayHaveEnded: (): boolean => [...handed].some((token) => tokenClient.mayHaveEnded(token)),
  };
}

/** Called with each token from the token endpoint. @param sentAt when it was requested (wall clock) */
export type OnToken = (token: Secret, sentAt: number) => void;

/** A service that also reports each token. @param now the wall clock */
export const reportingTokens = (
  service: Service,
  onToken: OnToken,
  now: () => number,
): Service => ({
  ...service,
  async issue(account) {
    const sentAt = now();
    const token = await service.issue(account);
    onToken(token.secret, sentAt);
    return token;
  },
  connection: (use, sharing) =>
    service.connection((one) => use(reportingTokens(one, onToken, now)), sharing),
});
