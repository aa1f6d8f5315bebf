import { setTimeout } from 'node:timers/promises';
import { inBody } from '../schema.ts';
import type { Account, Token } from '../secrets/secret.ts';
import { NoTokenError, type Service, withChanges } from './client.ts';
import { UnreachableError } from './unreachable.ts';

/**
 * Four tries, and a fifth one after a check: an outage may have ended just before it. An error that is final is checked
 * and thrown at once. @throws the last NoTokenError
 */
export async function retryToken(
  issue: () => Promise<Token>,
  isFinal: (error: NoTokenError, tries: number) => boolean = () => false,
  check: () => Promise<void> = async () => {},
): Promise<Token> {
  for (let tries = 1; ; tries += 1)
    try {
      return await issue();
    } catch (error) {
      if (!(error instanceof NoTokenError)) throw error;
      const ends = isFinal(error, tries);
      if (ends || tries === 4) await check();
      if (ends || tries === 5) throw error;
    }
}

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
  const resend = createResend(options);
  /** Whether a token was issued: then the credentials are right, and sending them again locks no account. */
  let areCredentialsRight = false;
  /** Whether an answer refuses the credentials. Gateways and firewalls do not send the error envelope. */
  const isFinal = ({ answer }: NoTokenError, tries: number): boolean => {
    const isRefusal = answer.status >= 400 && answer.status < 500 && answer.status !== 408;
    const isOfGateway = areCredentialsRight || (answer.status === 404 && tries === 1);
    return isRefusal && (inBody(answer, 'success') === false || !isOfGateway);
  };
  return withChanges(service, (inner) => ({
    async issue(account: Account) {
      const issue = () => resend(() => inner.issue(account));
      const token = await retryToken(issue, isFinal, options.onNoToken);
      areCredentialsRight = true;
      return token;
    },
    call: (...request) => resend(() => inner.call(...request)),
  }));
}

function createResend({ beforeRequest, sleep = setTimeout }: RetryOptions) {
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
        if (!(error instanceof UnreachableError) || lasting.test(error.reason)) throw error;
        const cost = error.reason === 'timeout' ? 5 : 1;
        if (pauseMs === undefined || cost > left) throw error;
        spent += cost;
        left -= cost;
        await sleep(pauseMs);
      }
    }
  };
}
