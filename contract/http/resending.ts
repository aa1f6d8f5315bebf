import { setTimeout } from 'node:timers/promises';
import { field } from '../json-value.ts';
import type { Account, Token } from '../secrets/secret.ts';
import { jsonOf } from './answer.ts';
import { NoToken, type Service } from './client.ts';
import { type Reason, Unreachable } from './unreachable.ts';

/**
 * The same service, which reports a missing token only after several tries: if the credentials are known to be right,
 * sending them again locks no account.
 */
export function withTokenTries(service: Service): Service {
  return {
    ...service,
    async issue(account) {
      for (let tries = 1; ; tries++) {
        try {
          return await service.issue(account);
        } catch (error) {
          if (!(error instanceof NoToken) || tries === mostTokenTries) throw error;
        }
      }
    },
    connection: (use, sharing) => service.connection((kept) => use(withTokenTries(kept)), sharing),
  };
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

  /** The same service, whose interrupted requests are sent again. */
  of(service: Service): Service {
    return {
      issue: (account) => this.#issue(service, account),
      exchange: (...request) => this.#resending(() => service.exchange(...request)),
      call: (to, options) =>
        this.#resending(() => service.call(to, options), options?.mayFail ? 'odd' : 'usual'),
      connection: (use, sharing) => service.connection((kept) => use(this.of(kept)), sharing),
    };
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
