import { setTimeout } from 'node:timers/promises';
import { inBody } from '../schema.ts';
import type { Account, Token } from '../secrets/secret.ts';
import { changed, NoToken, type Service } from './client.ts';
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
  changed(service, (own) => ({ issue: (account) => triedForToken(() => own.issue(account)) }));

/** A request that failed for such a reason would fail again. */
const lasting = /^(dns|tls|too-large|rate-limited)$/;

/** Milliseconds before the second and the third try of a request. */
export const pauses = [0, 250] as const;

export interface RetryOptions {
  /** Checks the provider as a whole when no token can be had. @throws if it has stopped answering */
  readonly onNoToken: () => Promise<void>;
  /** Called before each request, which its error prevents. */
  readonly beforeRequest: () => Promise<void>;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/**
 * The same service, which sends interrupted requests again, at most twice and within a budget for the whole round. In
 * simulated time a probe cannot simply run again, because its instants have passed.
 */
export function withRetries(service: Service, options: RetryOptions): Service {
  const resend = resending(options);
  /** Whether a token was issued: then the credentials are right, and sending them again locks no account. */
  let areRight = false;
  /** Whether an answer refuses the credentials. Gateways and firewalls do not send the error envelope. */
  const isFinal = ({ answer }: NoToken): boolean => {
    const isRefusal = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
    return isRefusal && (inBody(answer, 'success') === false || !areRight);
  };
  const tokenOf = async (issue: () => Promise<Token>): Promise<Token> => {
    try {
      return await triedForToken(issue, isFinal);
    } catch (error) {
      if (!(error instanceof NoToken)) throw error;
      await options.onNoToken();
      if (isFinal(error)) throw error;
      // An outage may have ended just before that check.
      return issue();
    }
  };
  return changed(service, (own) => ({
    async issue(account: Account) {
      const token = await tokenOf(() => resend(() => own.issue(account)));
      areRight = true;
      return token;
    },
    exchange: (...request) => resend(() => own.exchange(...request)),
    call: (...request) => resend(() => own.call(...request)),
  }));
}

function resending({ beforeRequest, sleep = setTimeout }: RetryOptions) {
  /** How much the retries that fail may cost. */
  let left = 40;
  return async <Result>(send: () => Promise<Result>): Promise<Result> => {
    let spent = 0;
    for (let tries = 0; ; tries++) {
      try {
        await beforeRequest();
        const result = await send();
        left += spent;
        return result;
      } catch (error) {
        const pauseMs = pauses[tries];
        if (!(error instanceof Unreachable) || lasting.test(error.reason)) throw error;
        const cost = error.reason === 'timeout' ? 5 : 1;
        if (pauseMs === undefined || cost > left) throw error;
        spent += cost;
        left -= cost;
        await sleep(pauseMs);
      }
    }
  };
}
