import { setTimeout } from 'node:timers/promises';
import { header, httpDate, type Received } from './answer.ts';
import type { CallOptions } from './request.ts';
import { Unreachable } from './unreachable.ts';

export interface PaceOptions {
  /** Requests a second, by default without limit. */
  readonly requestsPerSecond?: number;
  /** How many requests may be in flight, by default without limit. */
  readonly concurrency?: number;
  /** The longest total pause (milliseconds) of a request after answers with 429. */
  readonly maxRetryAfterMs: number;
  /** Called with each pause that a 429 asks for (milliseconds), also with one that is too long. */
  readonly onLimited?: (pauseMs: number) => void;
  /** Ends every pause. */
  readonly signal?: AbortSignal;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Elapsed milliseconds on a monotonic clock: the pace must not depend on changes of the wall clock. */
  readonly now?: () => number;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly wall?: () => number;
}

/** The shortest pause before a request is sent again, for example after `Retry-After: 0`. */
const leastPauseMs = 100;

/**
 * One pace for all requests to a provider. A 429 is not an answer to the request: all requests wait as long as
 * its `Retry-After` says, or one second without it, and then the request is sent again.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  readonly #inSlot: ReturnType<typeof requestSlots>;
  /** When the next request may be sent, and when the last pause ends that the provider requested. */
  #next = 0;
  #shutUntil = 0;
  #pausedMs = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#inSlot = requestSlots(options.concurrency ?? Number.POSITIVE_INFINITY);
  }

  /**
   * @param accepts whether a status counts as an answer, even 429
   * @throws Unreachable `rate-limited` when the pauses of the request exceed the limit
   */
  async run<Result extends Received>(
    where: string,
    send: () => Promise<Result>,
    accepts?: CallOptions['accepts'],
  ): Promise<Result> {
    const { maxRetryAfterMs, onLimited, wall = Date.now } = this.#options;
    for (let waitedMs = 0; ; ) {
      await this.#turn();
      const received = await this.#inSlot(send);
      if (received.status !== 429 || accepts?.(429) === true) return received;
      const pauseMs = Math.max(retryAfterMs(received, wall()), leastPauseMs);
      onLimited?.(pauseMs);
      if (waitedMs + pauseMs > maxRetryAfterMs)
        throw new Unreachable('rate-limited', where, `Retry-After ${Math.ceil(pauseMs / 1000)} s`);
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
  }

  async #turn(): Promise<void> {
    const { requestsPerSecond = Number.POSITIVE_INFINITY, signal } = this.#options;
    const { sleep = (ms: number) => setTimeout(ms, undefined, { signal }) } = this.#options;
    for (;;) {
      const now = this.#now();
      const mine = Math.max(this.#next, this.#shutUntil, now);
      this.#next = mine + 1000 / requestsPerSecond;
      // The clock is read once for both: if it advanced in between, the pause could be negative.
      if (mine > now) await sleep(mine - now);
      // A request that waited when a pause began waits for the pause too, and keeps its place in the queue.
      if (mine >= this.#shutUntil) return;
    }
  }
}

/** `Retry-After` (RFC 9110 10.2.3) is a number of seconds, or a date. */
function retryAfterMs(received: Received, now: number): number {
  const value = header(received, 'retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const date = httpDate(value);
  // The date is in the provider's time, which may be simulated, so the `Date` of the answer is subtracted.
  return date === undefined ? 1000 : date - (httpDate(header(received, 'date')) ?? now);
}

/** @returns a function that runs a task as soon as fewer than `count` of its tasks run */
export function requestSlots(
  count: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = count;
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
