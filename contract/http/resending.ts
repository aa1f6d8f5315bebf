import { setTimeout } from 'node:timers/promises';
import { field } from '../json-value.ts';
import type { Account, Token } from '../secrets/secret.ts';
import { type Answer, jsonOf } from './answer.ts';
import { NoToken, type Service } from './client.ts';
import { type Reason, Unreachable } from './unreachable.ts';

const repeats = new WeakMap<Answer, () => Promise<Answer>>();

/** Sends the request of an answer once more; undefined where that is not possible. */
export const repeatOf = (answer: Answer): (() => Promise<Answer>) | undefined =>
  repeats.get(answer);

/** How the requests of a service are sent. */
interface Sending {
  issue(service: Service, account: Account): Promise<Token>;
  send(request: () => Promise<Answer>, budget: Budget): Promise<Answer>;
  /** Whether requests to the token endpoint can be repeated too. */
  readonly repeatsExchanges: boolean;
}

/**
 * The same service, whose requests can be repeated on demand, over a new connection: a kept one ends with its probe. A
 * request of a kept connection keeps its headers, so that an answer that depends on them is repeated too.
 * @param outer the client that opened the kept connection
 */
function around(service: Service, sending: Sending, outer?: Service): Service {
  const noting = async (
    request: (by: Service) => Promise<Answer>,
    budget: Budget = 'usual',
  ): Promise<Answer> => {
    const answer = await sending.send(() => request(service), budget);
    repeats.set(answer, () =>
      outer === undefined ? request(own) : outer.connection(request, 'apart'),
    );
    return answer;
  };
  const own: Service = {
    issue: (account) => sending.issue(service, account),
    exchange: (body, headers) =>
      sending.repeatsExchanges
        ? noting((by) => by.exchange(body, headers))
        : service.exchange(body, headers),
    call: (endpoint, options) =>
      noting((by) => by.call(endpoint, options), options?.mayFail === true ? 'odd' : 'usual'),
    connection: (use, sharing) =>
      service.connection((kept) => use(around(kept, sending, outer ?? own)), sharing),
  };
  return own;
}

/**
 * The same service, whose requests can be repeated on demand; it repeats nothing by itself.
 * @param credentials whether the credentials are known to be right: repeated wrong ones may lock an account. With
 * right ones, requests to the token endpoint can be repeated too, and a missing token is only reported after several
 * tries.
 */
export const repeatable = (
  service: Service,
  { credentials }: { readonly credentials: boolean },
): Service =>
  around(service, {
    async issue(by, account) {
      for (let tries = 1; ; tries++) {
        try {
          return await by.issue(account);
        } catch (error) {
          if (!(error instanceof NoToken) || !credentials || tries === mostTokenTries) throw error;
        }
      }
    },
    send: (request) => request(),
    repeatsExchanges: credentials,
  });

/** The reasons that interrupt a request by chance, and the cost of a retry that fails. */
const interruptions: Partial<Record<Reason, number>> = {
  connect: 1,
  reset: 1,
  truncated: 1,
  protocol: 1,
  unavailable: 1,
  timeout: 5,
};

/** The most tries of one request, and of one token. */
const mostTries = 3;
const mostTokenTries = 4;

/** A client error is an answer to the credentials: sending them again might lock the account. */
const isRefusal = ({ answer: { status } }: NoToken): boolean =>
  status >= 400 && status < 500 && status !== 408;

/** The error envelope. Gateways and firewalls do not send it: they answer with a page or a body of their own. */
function isOwn({ answer }: NoToken): boolean {
  const json = jsonOf(answer);
  return json.is === 'json' && field(json.value, 'success') === false;
}

/** Milliseconds before the second and the third try. */
export const pauses = [0, 250] as const;

/** A round's budget for retries that fail, and for odd requests that the provider may rightly reset. */
const budgets = { usual: 40, odd: 15 };

type Budget = keyof typeof budgets;

export interface RetryOptions {
  /** Checks the provider as a whole when no token can be had; throws when it has stopped answering. */
  readonly onNoToken?: () => Promise<void>;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Handles a network that interrupts one request in a hundred: it sends interrupted requests again, at most twice
 * and within a budget for the whole round. In simulated time a probe cannot simply run again, because its
 * instants have passed.
 */
export class RequestRetrier {
  readonly #options: RetryOptions;
  readonly #spent: Record<Budget, number> = { usual: 0, odd: 0 };
  #interrupted = 0;
  /** Whether a token was issued: then the credentials are right, and sending them again locks no account. */
  #areRight = false;

  constructor(options: RetryOptions = {}) {
    this.#options = options;
  }

  /** The same service, whose interrupted requests are sent again, and whose requests can be repeated on demand. */
  of(service: Service): Service {
    return around(service, {
      issue: (by, account) => this.#issue(by, account),
      send: (request, budget) => this.#resending(request, budget),
      repeatsExchanges: true,
    });
  }

  /** How many requests were interrupted and sent again. */
  interrupted(): number {
    return this.#interrupted;
  }

  async #issue(service: Service, account: Account): Promise<Token> {
    const { onNoToken } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        const token = await this.#resending(() => service.issue(account));
        this.#areRight = true;
        return token;
      } catch (error) {
        if (!(error instanceof NoToken)) throw error;
        const isFinal = isRefusal(error) && (!this.#areRight || isOwn(error));
        if (!isFinal && tries < mostTokenTries) continue;
        if (onNoToken === undefined || tries > mostTokenTries) throw error;
        await onNoToken();
        // An outage may have ended just before that check.
        if (isFinal) throw error;
      }
    }
  }

  async #resending<Result>(send: () => Promise<Result>, budget: Budget = 'usual'): Promise<Result> {
    const { sleep = setTimeout } = this.#options;
    let cost = 0;
    for (let tries = 1; ; tries++) {
      try {
        const result = await send();
        this.#spent[budget] -= cost;
        return result;
      } catch (error) {
        const price = error instanceof Unreachable ? interruptions[error.reason] : undefined;
        if (price === undefined || tries === mostTries) throw error;
        if (this.#spent[budget] + price > budgets[budget]) throw error;
        cost += price;
        this.#spent[budget] += price;
        this.#interrupted += 1;
        await sleep(pauses[tries - 1] ?? 0);
      }
    }
  }
}
