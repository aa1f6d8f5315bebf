import type { Answer } from '../../contract/http/answer.ts';
import { type ApiClient, bearer, type Service } from '../../contract/http/client.ts';
import type { Ask, Endpoint } from '../../contract/http/request.ts';
import { type Account, Secret, seal, type Token } from '../../contract/secrets/secret.ts';
import { lifetime, minutes } from '../../contract/time/clock.ts';

/** A 401 on a token that should still be valid. The answer is as it came: it may quote the token. */
export interface Rejection {
  readonly token: Token;
  /** The token was at most so old. */
  readonly ageMs: number;
  readonly answer: Answer;
}

export interface TokenClientOptions {
  /** What calls and tokens go through; the keys go to its token endpoint only (CALLER-1). */
  readonly service: Pick<Service, 'issue' | 'call'>;
  readonly account: Account;
  /**
   * Elapsed time, milliseconds. It never goes back, and goes on while the machine is suspended: else a token that has
   * ended in the meantime seems to be refused too early.
   */
  readonly now: () => number;
  /**
   * By how much the provider's latest `Date` is ahead of `now` (milliseconds), which may make a token older than it
   * seems: nothing but that `Date` tells that the whole machine was stopped.
   */
  readonly ahead?: () => number | undefined;
  /** The age from which a token is used no more; five minutes before its end unless said. */
  readonly renewAfterMs?: number;
  /** Told of each token that is refused too early, once, before it is renewed. */
  readonly onUnexpected?: (rejection: Rejection) => void;
}

/** A token, and since when it may have existed. */
interface Kept {
  readonly token: Token;
  readonly since: number;
  /** What `ahead` was then. */
  readonly ahead: number | undefined;
  refused: boolean;
}

/**
 * A caller of the API that keeps one token, and renews it when it ends or is refused (CALLER-3). At first it has none.
 * Calls during a renewal wait for that one exchange.
 */
export class TokenClient {
  readonly #options: TokenClientOptions;
  readonly #renewAfterMs: number;
  readonly #known = new WeakMap<Token, Kept>();
  #kept: Kept | undefined;
  #latest: Kept | undefined;
  #renewal: Promise<Kept> | undefined;

  constructor(options: TokenClientOptions) {
    this.#options = options;
    this.#renewAfterMs = options.renewAfterMs ?? lifetime - minutes(5);
  }

  /**
   * Calls an endpoint with the kept token; after a 401 once more with a new one, whose answer counts whatever it is.
   * @throws NoToken @throws Unreachable
   */
  async call(endpoint: Endpoint, ask: Omit<Ask, 'authorization' | 'token'> = {}): Promise<Answer> {
    const { service } = this.#options;
    const first = await this.#current();
    const answer = await service.call(endpoint, { ...ask, ...bearer(first.token) });
    if (answer.status !== 401) return answer;
    this.#discard(first, answer);
    const second = await this.#current();
    const again = await service.call(endpoint, { ...ask, ...bearer(second.token) });
    // It is kept all the same: an endpoint that refuses every token would else cost two with each call.
    if (again.status === 401) this.#record(second, again);
    return again;
  }

  /** The kept token, or a new one that is kept from now on. @throws NoToken @throws Unreachable */
  async token(): Promise<Token> {
    return (await this.#current()).token;
  }

  /** What is kept now, for the scrubber of a client that answers may reach by. */
  held(): readonly Secret[] {
    return this.#kept === undefined ? [] : [this.#kept.token.secret];
  }

  /**
   * Keeps a token that came from `token()` no longer.
   * @param refusal the 401 that it got, to be recorded when it came too early
   */
  discard(token: Token, refusal?: Answer): void {
    this.#discard(this.#known.get(token), refusal);
  }

  /** Whether a token that came from `token()` may have ended by now, by any clock, the provider's included. */
  mayHaveEnded(token: Token): boolean {
    const one = this.#known.get(token);
    return one !== undefined && this.#mostAge(one) >= this.#renewAfterMs;
  }

  async #current(): Promise<Kept> {
    const kept = this.#kept;
    if (kept !== undefined && this.#options.now() - kept.since < this.#renewAfterMs) return kept;
    // A failure reaches all waiting callers, and no later one.
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(): Promise<Kept> {
    const { service, account, now } = this.#options;
    const [requestedAt, before] = [now(), this.#ahead()];
    const token = await service.issue(account);
    const age = { since: requestedAt, ahead: before ?? this.#ahead() };
    // A provider may give a valid token again: it is as old as it was.
    const isAgain = this.#latest?.token.secret.equals(token.secret) === true;
    const kept = { ...age, ...(isAgain ? this.#latest : {}), token, refused: false };
    this.#kept = this.#latest = kept;
    this.#known.set(token, kept);
    return kept;
  }

  #ahead(): number | undefined {
    return this.#options.ahead?.();
  }

  /** How old a token is at most. */
  #mostAge(one: Kept): number {
    const [then, later] = [one.ahead, this.#ahead()];
    const more = then === undefined || later === undefined ? 0 : later - then;
    return this.#options.now() - one.since + Math.max(0, more);
  }

  #record(one: Kept, answer: Answer): void {
    const ageMs = this.#mostAge(one);
    if (!one.refused && ageMs < lifetime)
      this.#options.onUnexpected?.({ token: one.token, ageMs, answer });
    one.refused = true;
  }

  #discard(one: Kept | undefined, refusal?: Answer): void {
    if (one !== undefined && refusal !== undefined) this.#record(one, refusal);
    if (one === this.#kept) this.#kept = undefined;
  }
}

/** A service whose tokens are the kept one of a caller. */
export interface KeptService extends Service {
  /** Whether the kept token was refused to a plain use: nothing that was found with it proves anything. */
  refusedKept(): boolean;
  /** Whether a token that was handed out may have ended by now, by any clock. */
  mayHaveEnded(): boolean;
}

/**
 * Hands out a caller's kept token in place of new ones, for probes to which any will do. A 401 to a plain use of it is
 * told to the caller, who records it and keeps the token no longer.
 */
export function keptService(
  client: Service & Pick<ApiClient, 'learn'>,
  tokenClient: TokenClient,
): KeptService {
  const handed = new Set<Token>();
  let refused = false;

  const over = (service: Service): Service => ({
    async issue() {
      const token = await tokenClient.token();
      // It may have been renewed after the door was opened, and by another one.
      client.learn(token.secret);
      handed.add(token);
      return token;
    },
    exchange: service.exchange,
    async call(endpoint, ask = {}) {
      const answer = await service.call(endpoint, ask);
      if (answer.status === 401 && ask.token !== undefined && isPlain(ask, ask.token, handed)) {
        refused = true;
        tokenClient.discard(ask.token, answer);
      }
      return answer;
    },
    connection: (use, sharing) => service.connection((one) => use(over(one)), sharing),
  });
  return {
    ...over(client),
    refusedKept: () => refused,
    mayHaveEnded: () => [...handed].some((token) => tokenClient.mayHaveEnded(token)),
  };
}

/** Whether a call is nothing but authorised by a token that was handed out; a body makes it no other call. */
function isPlain(ask: Ask, token: Token, handed: ReadonlySet<Token>): boolean {
  const { authorization, token: _token, body: _body, ...peculiar } = ask;
  return (
    handed.has(token) &&
    authorization instanceof Secret &&
    authorization.equals(seal`Bearer ${token.secret}`) &&
    Object.values(peculiar).every((value) => value === undefined)
  );
}

/** Called with each token that the token endpoint gives. @param askedAt when it was requested (wall clock) */
export type OnToken = (token: Secret, sentAt: number) => void;

/** The same service, which reports each token. @param now the wall clock */
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
