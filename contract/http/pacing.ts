import { setTimeout } from 'node:timers/promises';
import { header, httpDate, type Received } from './answer.ts';
import type { CallOptions } from './request.ts';
import { RequestSlots } from './request-slots.ts';
import { Unreachable } from './unreachable.ts';

export interface PaceOptions {
  /** Requests a second; undefined means no limit. */
  readonly requestsPerSecond?: number;
  /** How many requests may be in flight; undefined means no limit. */
  readonly concurrency?: number;
  /** The longest total pause (milliseconds) after answers with 429; with 0 a 429 is an outcome at once. */
  readonly maxRetryAfterMs: number;
  /** Ends every pause. */
  readonly signal?: AbortSignal;
  /** The instant at which the provider's simulated clock is stopped; undefined while real time passes. */
  readonly standing?: () => number | undefined;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Elapsed milliseconds on a monotonic clock: the pace must not depend on changes of the wall clock. */
  readonly now?: () => number;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly wall?: () => number;
}

/**
 * One pace for all requests to a provider. A 429 is not an answer to the request: all requests wait as long as
 * its `Retry-After` says, or one second without it, and then the request is sent again.
 * @throws Unreachable `rate-limited` when the pauses of one request exceed the limit
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #intervalMs: number;
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  readonly #slots: RequestSlots;
  /** The next free slot. */
  #next = 0;
  /** The end of the last pause that the provider requested. */
  #shutUntil = 0;
  #pausedMs = 0;
  /** The pauses since a request last succeeded after one, while the test clock was stopped (milliseconds). */
  #inVain = { longestMs: 0, waitedMs: 0, until: 0 };
  /** Whether a limit did not end in real time: it follows the test clock. */
  #followsClock = false;

  constructor(options: PaceOptions) {
    const { requestsPerSecond, signal, now = () => performance.now() } = options;
    this.#options = options;
    this.#intervalMs = requestsPerSecond === undefined ? 0 : 1000 / requestsPerSecond;
    this.#now = now;
    this.#slots = new RequestSlots(options.concurrency ?? Number.POSITIVE_INFINITY);
    this.#sleep = options.sleep ?? ((ms) => setTimeout(ms, undefined, { signal }));
  }

  /** @param accepts whether a status counts as an answer, even 429 */
  async run(
    where: string,
    send: () => Promise<Received>,
    accepts?: CallOptions['accepts'],
  ): Promise<Received> {
    for (let waitedMs = 0; ; ) {
      if (this.#next > 0 || this.#intervalMs > 0) await this.#turn();
      const received = await this.#slots.hold(send);
      if (received.status !== 429 || accepts?.(429) === true) {
        if (waitedMs > 0) this.#inVain = { longestMs: 0, waitedMs: 0, until: 0 };
        return received;
      }
      const { wall = Date.now } = this.#options;
      const sentMs = Math.max(retryAfterMs(received, this.#standing() ?? wall()), leastPauseMs);
      const pauseMs = this.#grant(sentMs, waitedMs);
      if (pauseMs === undefined) {
        const why = this.#followsClock
          ? ', which do not pass while the test clock stands still'
          : '';
        const detail = `Retry-After ${Math.ceil(sentMs / 1000)} s${why}`;
        throw new Unreachable('rate-limited', where, detail);
      }
      waitedMs += pauseMs;
      this.#pause(pauseMs);
    }
  }

  /** How long the provider's pauses have been in all (seconds); pauses at the same time count once. */
  pausedSeconds(): number {
    return this.#pausedMs / 1000;
  }

  #pause(pauseMs: number): void {
    const now = this.#now();
    const from = Math.max(this.#shutUntil, now);
    this.#shutUntil = Math.max(from, now + pauseMs);
    this.#pausedMs += this.#shutUntil - from;
    this.#next = Math.max(this.#next, this.#shutUntil);
  }

  async #turn(): Promise<void> {
    for (;;) {
      const now = this.#now();
      const mine = Math.max(this.#next, now);
      this.#next = mine + this.#intervalMs;
      // The clock is read once for both: if it advanced in between, the pause could be negative.
      if (mine > now) await this.#sleep(mine - now);
      // A request that waited when a pause began waits for the pause too, and keeps its place in the queue.
      if (mine >= this.#shutUntil) return;
    }
  }

  /**
   * The pause that the limit allows; undefined if it allows none. While the test clock is stopped, a limit that
   * follows it never ends, but a gateway's does. Pauses of concurrent requests overlap, and are counted once.
   */
  #grant(pauseMs: number, waitedMs: number): number | undefined {
    const { maxRetryAfterMs } = this.#options;
    if (this.#standing() === undefined)
      return waitedMs + pauseMs > maxRetryAfterMs ? undefined : pauseMs;
    const { longestMs, until, waitedMs: inVainMs } = this.#inVain;
    const now = this.#now();
    // A gateway asks for less when a pause has passed.
    if (now >= until && inVainMs >= leastInVainMs && pauseMs >= longestMs)
      this.#followsClock = true;
    if (this.#followsClock || Math.max(pauseMs, inVainMs + 1) > maxRetryAfterMs) return undefined;
    this.#inVain = {
      longestMs: Math.max(longestMs, pauseMs),
      waitedMs: inVainMs + Math.max(0, now + pauseMs - Math.max(now, until)),
      until: Math.max(until, now + pauseMs),
    };
    return pauseMs;
  }

  #standing(): number | undefined {
    return this.#options.standing?.();
  }
}

/** The shortest pause before a request is sent again, for example after `Retry-After: 0`. */
const leastPauseMs = 100;

/**
 * If no request succeeds for so long, and for as long as `Retry-After` says, the limit follows the stopped clock
 * (milliseconds).
 */
const leastInVainMs = 5000;

/** `Retry-After` (RFC 9110 10.2.3) is a number of seconds, or a date. */
function retryAfterMs(received: Received, now: number): number {
  const value = header(received, 'retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  // The date is in the provider's time, which may be simulated, so the `Date` of the answer is subtracted.
  return date === undefined ? 1000 : date - (httpDate(header(received, 'date')) ?? now);
}
