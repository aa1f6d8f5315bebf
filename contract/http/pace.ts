import { setTimeout } from 'node:timers/promises';
import type { Received } from './answer.ts';
import { Lane } from './lane.ts';
import { limitIn, retryAfterMs } from './rate-limit.ts';
import { type CallOptions, tokenPath } from './request.ts';
import { Unreachable } from './unreachable.ts';

export interface PaceOptions {
  /** Requests a second, by default without limit until the provider sets one. */
  readonly requestsPerSecond?: number;
  /** Of these, requests a second to the token endpoint. */
  readonly tokensPerSecond?: number;
  /** How many requests may be in flight, by default without limit. */
  readonly concurrency?: number;
  /** The longest total pause (milliseconds) of a request after answers with 429. */
  readonly maxRetryAfterMs: number;
  /** Called with each pause that a 429 asks for (milliseconds), also with one that is too long. */
  readonly onLimited?: (pauseMs: number) => void;
  /** Called before a request waits for a second or more. */
  readonly onWait?: (wait: Wait) => void;
  /** Ends every pause. */
  readonly signal?: AbortSignal;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Elapsed milliseconds on a monotonic clock: the pace must not depend on changes of the wall clock. */
  readonly now?: () => number;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly wall?: () => number;
}

/** Why and how long a request waits. */
export interface Wait {
  /** Whether it waits for the token endpoint's own pace. */
  readonly isForToken: boolean;
  readonly ms: number;
  /** The time between two requests in the long run, and how many were sent so far. */
  readonly intervalMs: number;
  readonly sent: number;
}

/** The shortest pause before a request is sent again, for example after `Retry-After: 0`. */
const leastPauseMs = 100;

/**
 * Two paces for the requests to a provider: one for all, and another for those to the token endpoint. A 429 is not an
 * answer to the request: the requests of its pace wait as long as it says, and then the request is sent again. From
 * then on they are as far apart as the provider admits them.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  readonly #inSlot: ReturnType<typeof requestSlots>;
  readonly #all: Lane;
  readonly #tokens: Lane;
  #pausedUntil = 0;
  #pausedMs = 0;
  /** The names of headers on limits, and which requests were answered with 429. */
  readonly limits = { headers: new Set<string>(), refused: new Set<string>() };

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#inSlot = requestSlots(options.concurrency ?? Number.POSITIVE_INFINITY);
    this.#all = new Lane(options.requestsPerSecond);
    this.#tokens = new Lane(options.tokensPerSecond);
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
    const isForToken = where.endsWith(tokenPath);
    const patience = maxRetryAfterMs > 0 ? ', longer than PUBLIC_API_PATIENCE_MS' : '';
    for (let waitedMs = 0; ; ) {
      await this.#turn(isForToken);
      const received = await this.#sendUnlessPaused(isForToken, send);
      if (received === undefined) continue;
      const { names, resetMs } = limitIn(received, wall());
      for (const name of names) this.limits.headers.add(name);
      if (received.status !== 429 || accepts?.(429) === true) {
        if (received.status !== 429)
          for (const one of this.#lanes(isForToken)) one.admitted(this.#now());
        if (resetMs !== undefined && resetMs <= maxRetryAfterMs)
          this.#pause(isForToken, Math.max(resetMs, leastPauseMs));
        return received;
      }
      this.limits.refused.add(isForToken ? 'the token endpoint' : 'endpoints');
      const [lane] = this.#lanes(isForToken);
      const given = retryAfterMs(received, wall());
      const pauseMs = Math.max(given ?? resetMs ?? lane.usualPauseMs(this.#now()), leastPauseMs);
      onLimited?.(pauseMs);
      if (waitedMs + pauseMs > maxRetryAfterMs)
        throw new Unreachable(
          'rate-limited',
          where,
          `${given === undefined ? 'no Retry-After' : `Retry-After ${Math.ceil(pauseMs / 1000)} s`}${patience}`,
        );
      waitedMs += pauseMs;
      this.#pause(isForToken, pauseMs);
    }
  }

  /** How long the provider's pauses have been in all (seconds); pauses at the same time count once. */
  pausedSeconds(): number {
    return this.#pausedMs / 1000;
  }

  /** Whether the token endpoint has a pace of its own, set or learnt. */
  limitsTokens(): boolean {
    return this.#tokens.intervalMs > 0;
  }

  /** The lanes of a request, its own first. */
  #lanes(isForToken: boolean): readonly [Lane, ...Lane[]] {
    return isForToken ? [this.#tokens, this.#all] : [this.#all];
  }

  #pause(isForToken: boolean, pauseMs: number): void {
    const now = this.#now();
    // One limit for all requests shows at the token endpoint too.
    const isGeneral = !isForToken || this.#all.isShut(now);
    if (isGeneral && this.#tokens.isShut(now)) this.#tokens.forget();
    (isGeneral ? this.#all : this.#tokens).pause(now, pauseMs);
    const from = Math.max(this.#pausedUntil, now);
    this.#pausedUntil = Math.max(from, now + pauseMs);
    this.#pausedMs += this.#pausedUntil - from;
  }

  async #turn(isForToken: boolean): Promise<void> {
    const { signal, onWait } = this.#options;
    const { sleep = (ms: number) => setTimeout(ms, undefined, { signal }) } = this.#options;
    const lanes = this.#lanes(isForToken);
    for (const lane of lanes)
      for (;;) {
        const now = this.#now();
        const { sent } = lane;
        const intervalMs = Math.max(lane.meanMs, lane.intervalMs);
        const mine = lane.take(now);
        // The clock is read once for both: if it advanced in between, the pause could be negative.
        const ms = mine - now;
        if (ms >= 1000) onWait?.({ isForToken: lane === this.#tokens, ms, intervalMs, sent });
        if (ms > 0) await sleep(ms);
        // A request that waited when a pause began waits for the pause too, and keeps its place in the queue.
        if (!lane.isShut(mine)) break;
      }
  }

  /** A pause may begin while a request waits for a slot. @returns undefined if the request must wait again */
  #sendUnlessPaused<Result>(
    isForToken: boolean,
    send: () => Promise<Result>,
  ): Promise<Result | undefined> {
    const lanes = this.#lanes(isForToken);
    const before = lanes.map(({ pauses }) => pauses);
    return this.#inSlot(async () => {
      if (lanes.some(({ pauses }, index) => pauses !== before[index])) return undefined;
      for (const lane of lanes) lane.sent += 1;
      return send();
    });
  }
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
