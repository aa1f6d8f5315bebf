import { setTimeout } from 'node:timers/promises';
import { inBody } from '../schema.ts';
import type { Account, Token } from '../secrets/secret.ts';
import { issuing, NoToken, type Service } from './client.ts';
import { Unreachable } from './unreachable.ts';

/** Four tries. @throws the last NoToken; one that is final is thrown at once */
async function triedForToken(
  issue: () => Promise<Token>,
  isFinal: (error: NoToken) => boolean = () => false,
  tries = 4,
): Promise<Token> {
  try {
    return await issue();
  } catch (error) {
    if (!(error instanceof NoToken) || isFinal(error) || tries === 1) throw error;
    return triedForToken(issue, isFinal, tries - 1);
  }
}

/** The same service, with several tries for a token: known to be right, the credentials lock no account. */
export const withTokenTries = (service: Service): Service =>
  issuing(service, (one, account) => triedForToken(() => one.issue(account)));

/** A request that failed for such a reason would fail again. */
const lasting = /^(dns|tls|too-large|rate-limited)$/;

/** Milliseconds before the second and the third try of a request. */
export const pauses = [0, 250] as const;

/**
 * Sends interrupted requests again, at most twice and within a budget for the whole round. In simulated time a probe
 * cannot simply run again, because its instants have passed.
 */
export class RequestRetrier {
  readonly #onNoToken: () => Promise<void>;
  readonly #beforeRequest: () => Promise<void>;
  readonly #sleep: (ms: number) => Promise<unknown>;
  /** How much the retries that fail may cost. */
  #left = 40;
  /** Whether a token was issued: then the credentials are right, and sending them again locks no account. */
  #areRight = false;

  /**
   * @param onNoToken checks the provider as a whole when no token can be had; throws when it has stopped answering
   * @param beforeRequest called before each request, which its error prevents
   */
  constructor(
    onNoToken: () => Promise<void>,
    beforeRequest: () => Promise<void>,
    sleep: (ms: number) => Promise<unknown> = setTimeout,
  ) {
    this.#onNoToken = onNoToken;
    this.#beforeRequest = beforeRequest;
    this.#sleep = sleep;
  }

  /** The same service, whose interrupted requests are sent again. */
  of(service: Service): Service {
    return {
      issue: (account) => this.#issue(service, account),
      exchange: (...request) => this.#resending(() => service.exchange(...request)),
      call: (...request) => this.#resending(() => service.call(...request)),
      connection: (use, sharing) => service.connection((kept) => use(this.of(kept)), sharing),
    };
  }

  async #issue(service: Service, account: Account): Promise<Token> {
    const issue = () => this.#resending(() => service.issue(account));
    const isFinal = (error: NoToken) => this.#isFinal(error);
    const token = await triedForToken(issue, isFinal).catch(async (error: unknown) => {
      if (!(error instanceof NoToken)) throw error;
      await this.#onNoToken();
      if (isFinal(error)) throw error;
      // An outage may have ended just before that check.
      return issue();
    });
    this.#areRight = true;
    return token;
  }

  /** Whether an answer refuses the credentials. Gateways and firewalls do not send the error envelope. */
  #isFinal({ answer }: NoToken): boolean {
    const isRefusal = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
    return isRefusal && (inBody(answer, 'success') === false || !this.#areRight);
  }

  async #resending<Result>(send: () => Promise<Result>): Promise<Result> {
    let spent = 0;
    for (let tries = 0; ; tries++) {
      try {
        await this.#beforeRequest();
        const result = await send();
        this.#left += spent;
        return result;
      } catch (error) {
        const pauseMs = pauses[tries];
        if (!(error instanceof Unreachable) || lasting.test(error.reason)) throw error;
        const cost = error.reason === 'timeout' ? 5 : 1;
        if (pauseMs === undefined || cost > this.#left) throw error;
        spent += cost;
        this.#left -= cost;
        await this.#sleep(pauseMs);
      }
    }
  }
}
