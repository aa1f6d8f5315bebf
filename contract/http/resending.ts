import { setTimeout } from 'node:timers/promises';
import type { Account, Token } from '../secrets/secret.ts';
import type { Answer } from './answer.ts';
import { NoToken, type Service } from './client.ts';
import { type Reason, Unreachable } from './unreachable.ts';

const repeats = new WeakMap<Answer, () => Promise<Answer>>();

/** Sends the request of an answer once more; undefined where that cannot be done. */
export const repeatOf = (answer: Answer): (() => Promise<Answer>) | undefined =>
  repeats.get(answer);

/**
 * Sends a request again, over a new connection. What was sent over a kept one has the same headers again, so that an
 * answer that depends on them comes again too.
 * @param outer what the kept connection was opened by
 */
const anew = (
  own: Service,
  outer: Service | undefined,
  send: (by: Service) => Promise<Answer>,
): Promise<Answer> => (outer === undefined ? send(own) : outer.connection(send, 'apart'));

/**
 * The same service, whose answers can be asked for again, and which sends nothing again by itself.
 * @param credentials whether they are known to be right: wrong ones that are sent again and again may lock an account.
 * Then the answers of the token endpoint can be asked for again too, and no token is only told when none came in some
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
      return noting(answer, () => anew(own, outer, (by) => by.exchange(body, headers)));
    },
    async call(endpoint, ask) {
      const answer = await service.call(endpoint, ask);
      return noting(answer, () => anew(own, outer, (by) => by.call(endpoint, ask)));
    },
    connection: (use, sharing) =>
      service.connection((kept) => use(repeatable(kept, { credentials }, outer ?? own)), sharing),
  };
  return own;
}

/** What interrupts a request by chance, and what one more try of it costs when it is in vain. */
const interruptions: Partial<Record<Reason, number>> = {
  connect: 1,
  reset: 1,
  truncated: 1,
  protocol: 1,
  unavailable: 1,
  timeout: 5,
};

/** Most tries of one request, and of one token. */
const mostTries = 3;
const mostTokenTries = 4;

/** A client's error is an answer to the credentials: to send them again might lock the account. */
const isRefusal = ({ answer: { status } }: NoToken): boolean =>
  status >= 400 && status < 500 && status !== 408;

/** Milliseconds before the second and the third try. */
const pauses = [0, 250];

/** What a round may spend on requests that are sent again in vain, and on odd ones which may rightly be reset. */
const budgets = { usual: 40, odd: 15 };

type Purse = keyof typeof budgets;

export interface SteadinessOptions {
  /** Called for each token that was issued, with what went wrong before it was. */
  readonly onToken?: (accident: NoToken | undefined) => void;
  /** Looks at the provider as a whole when no token is to be had; throws when it has stopped answering. */
  readonly onNoToken?: () => Promise<void>;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * How a round copes with a network that interrupts one request in a hundred: it sends interrupted requests again, at
 * most twice and within a budget for the whole round. In simulated time that is the only way to run a probe again: its
 * instants have gone by.
 */
export class Steadiness {
  readonly #options: SteadinessOptions;
  readonly #spent: Record<Purse, number> = { usual: 0, odd: 0 };
  #interrupted = 0;

  constructor(options: SteadinessOptions = {}) {
    this.#options = options;
  }

  /** The same service, whose requests are sent again when they are interrupted, and answers can be asked for again. */
  of(service: Service): Service {
    return this.#around(service);
  }

  /** How many requests were interrupted and sent again. */
  interrupted(): number {
    return this.#interrupted;
  }

  /** @param outer what a kept connection was opened by */
  #around(service: Service, outer?: Service): Service {
    const repeatable = (send: (by: Service) => Promise<Answer>, purse?: Purse): Promise<Answer> =>
      this.#resending(() => send(service), purse).then((answer) => {
        // A kept connection ends with its probe: what is asked again has a connection of its own.
        repeats.set(answer, () => anew(steady, outer, send));
        return answer;
      });
    const steady: Service = {
      issue: (account) => this.#issue(service, account),
      exchange: (body, headers) => repeatable((by) => by.exchange(body, headers)),
      call: (endpoint, ask) =>
        repeatable((by) => by.call(endpoint, ask), ask?.mayFail === true ? 'odd' : 'usual'),
      connection: (use, sharing) =>
        service.connection((kept) => use(this.#around(kept, outer ?? steady)), sharing),
    };
    return steady;
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

  async #resending<Result>(send: () => Promise<Result>, purse: Purse = 'usual'): Promise<Result> {
    const { sleep = setTimeout } = this.#options;
    let cost = 0;
    for (let tries = 1; ; tries++) {
      try {
        const result = await send();
        this.#spent[purse] -= cost;
        return result;
      } catch (error) {
        const price = error instanceof Unreachable ? interruptions[error.reason] : undefined;
        if (price === undefined || tries === mostTries) throw error;
        if (this.#spent[purse] + price > budgets[purse]) throw error;
        cost += price;
        this.#spent[purse] += price;
        this.#interrupted += 1;
        await sleep(pauses[tries - 1] ?? 0);
      }
    }
  }
}
