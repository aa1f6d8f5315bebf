import { setTimeout } from 'node:timers/promises';
import type { Account, Token } from '../secrets/secret.ts';
import type { Answer } from './answer.ts';
import { NoToken, type Service } from './client.ts';
import { type Reason, Unreachable } from './unreachable.ts';

const repeats = new WeakMap<Answer, () => Promise<Answer>>();

/** Sends the request of an answer once more; undefined where that is not possible. */
export const repeatOf = (answer: Answer): (() => Promise<Answer>) | undefined =>
  repeats.get(answer);

/**
 * Sends a request again over a new connection. A request of a kept connection keeps its headers, so that an answer
 * that depends on them is repeated too.
 * @param outer the client that opened the kept connection
 */
const sendAgain = (
  own: Service,
  outer: Service | undefined,
  send: (by: Service) => Promise<Answer>,
): Promise<Answer> => (outer === undefined ? send(own) : outer.connection(send, 'apart'));

/**
 * The same service, whose requests can be repeated on demand; it repeats nothing by itself.
 * @param credentials whether the credentials are known to be right: repeated wrong ones may lock an account. With
 * right ones, requests to the token endpoint can be repeated too, and a missing token is only reported after several
 * tries.
 */
export function repeatable(
  service: Service,
  { credentials }: { readonly credentials: boolean },
  outer?: Service,
): Service {
  const noting = (answer: Answer, again: () => Promise<Answer>): Answer => {
    repeats.set(answer, again);
    return answer;
  };
  const own: Service = {
    async issue(account) {
      for (let tries = 1; ; tries++) {
        try {
          return await service.issue(account);
        } catch (error) {
          if (!(error instanceof NoToken) || !credentials || tries === mostTokenTries) throw error;
        }
      }
    },
    async exchange(body, headers) {
      const answer = await service.exchange(body, headers);
      if (!credentials) return answer;
      return noting(answer, () => sendAgain(own, outer, (by) => by.exchange(body, headers)));
    },
    async call(endpoint, options) {
      const answer = await service.call(endpoint, options);
      return noting(answer, () => sendAgain(own, outer, (by) => by.call(endpoint, options)));
    },
    connection: (use, sharing) =>
      service.connection((kept) => use(repeatable(kept, { credentials }, outer ?? own)), sharing),
  };
  return own;
}

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

/** Milliseconds before the second and the third try. */
const pauses = [0, 250];

/** A round's budget for retries that fail, and for odd requests that the provider may rightly reset. */
const budgets = { usual: 40, odd: 15 };

type Budget = keyof typeof budgets;

export interface RetryOptions {
  /** Called for each issued token, with the errors that came before it. */
  readonly onToken?: (accident: NoToken | undefined) => void;
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

  constructor(options: RetryOptions = {}) {
    this.#options = options;
  }

  /** The same service, whose interrupted requests are sent again, and whose requests can be repeated on demand. */
  of(service: Service): Service {
    return this.#around(service);
  }

  /** How many requests were interrupted and sent again. */
  interrupted(): number {
    return this.#interrupted;
  }

  /** @param outer the client that opened a kept connection */
  #around(service: Service, outer?: Service): Service {
    const repeatable = (send: (by: Service) => Promise<Answer>, budget?: Budget): Promise<Answer> =>
      this.#resending(() => send(service), budget).then((answer) => {
        // A kept connection ends with its probe: a repeated request has its own connection.
        repeats.set(answer, () => sendAgain(retrying, outer, send));
        return answer;
      });
    const retrying: Service = {
      issue: (account) => this.#issue(service, account),
      exchange: (body, headers) => repeatable((by) => by.exchange(body, headers)),
      call: (endpoint, options) =>
        repeatable((by) => by.call(endpoint, options), options?.mayFail === true ? 'odd' : 'usual'),
      connection: (use, sharing) =>
        service.connection((kept) => use(this.#around(kept, outer ?? retrying)), sharing),
    };
    return retrying;
  }

  async #issue(service: Service, account: Account): Promise<Token> {
    const { onToken = () => {}, onNoToken = async () => {} } = this.#options;
    let accident: NoToken | undefined;
    for (let tries = 1; ; tries++) {
      try {
        const token = await this.#resending(() => service.issue(account));
        onToken(accident);
        return token;
      } catch (error) {
        if (!(error instanceof NoToken)) throw error;
        accident = error;
        if (!isRefusal(error) && tries < mostTokenTries) continue;
        await onNoToken();
        throw error;
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
