import type { Received } from './transport.ts';
import { Unreachable } from './unreachable.ts';

/** How fast the door lets requests pass. */
export interface Pace {
  run(where: string, send: () => Promise<Received>): Promise<Received>;
}

export interface PaceOptions {
  /** Requests a second; undefined is without a bound. */
  readonly perSecond?: number;
  /** The longest pause (milliseconds) that is granted to a provider that answers 429; 0 makes it an outcome at once. */
  readonly patienceMs: number;
  readonly sleep?: (ms: number) => Promise<void>;
  readonly now?: () => number;
}

/**
 * One pace for all requests to a provider. A 429 is no answer to the question: everybody waits as long as its
 * `Retry-After` (RFC 9110 10.2.3) says, one second when it says nothing, and the same request is sent again.
 * @throws Unreachable `rate-limited` when the pauses of one request add up to more than the patience
 */
export function pacing(options: PaceOptions): Pace {
  const { perSecond, patienceMs, sleep = realSleep, now = Date.now } = options;
  const intervalMs = perSecond === undefined ? 0 : 1000 / perSecond;
  let next = 0;

  async function turn(): Promise<void> {
    const at = now();
    const waitMs = next - at;
    next = Math.max(next, at) + intervalMs;
    if (waitMs > 0) await sleep(waitMs);
  }

  return {
    async run(where, send) {
      for (let waitedMs = 0; ; ) {
        if (intervalMs > 0 || next > 0) await turn();
        const received = await send();
        if (received.status !== 429) return received;
        const pauseMs = retryAfterMs(received, now());
        waitedMs += Math.max(pauseMs, 100);
        if (waitedMs > patienceMs)
          throw new Unreachable('rate-limited', where, `Retry-After ${pauseMs / 1000} s`);
        next = Math.max(next, now() + pauseMs);
      }
    },
  };
}

const realSleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function retryAfterMs({ headers }: Received, now: number): number {
  const value = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 1000 : Math.max(0, date - now);
}
