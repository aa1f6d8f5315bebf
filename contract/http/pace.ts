import { setTimeout } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { header, httpDate, type Received } from './answer.ts';
import { type CallOptions, tokenPath } from './request.ts';
import { UnreachableError } from './unreachable.ts';

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
  readonly signal?: AbortSignal;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Elapsed milliseconds on a monotonic clock: the pace must not depend on changes of the wall clock. */
  readonly now?: () => number;
}

/** Why and how long a request waits. */
export interface Wait {
  /** Whether it waits for the token endpoint's own pace. */
  readonly isForToken: boolean;
  readonly ms: number;
  /** The time between two requests, and how many were sent so far. */
  readonly intervalMs: number;
  readonly sent: number;
}

/** The shortest pause before a request is sent again, for example after `Retry-After: 0`. */
const minPauseMs = 100;

/**
 * Two paces: one for all requests, and another for those to the token endpoint. After a 429 the requests of a pace wait
 * as long as it says. From then on they are as far apart as the provider admits them.
 */
export class Pace {
  readonly #options: PaceOptions;
  readonly #now: () => number;
  readonly #inSlot: LimitFunction;
  readonly #all: Lane;
  readonly #tokens: Lane;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#inSlot = pLimit(options.concurrency ?? Number.POSITIVE_INFINITY);
    this.#all = new Lane(options.requestsPerSecond);
    this.#tokens = new Lane(options.tokensPerSecond);
  }

  /**
   * @param accepts whether a status counts as an answer, even 429
   * @throws UnreachableError `rate-limited` when the pauses of the request exceed the limit
   */
  async run<Result extends Received>(
    where: string,
    send: () => Promise<Result>,
    accepts?: CallOptions['accepts'],
  ): Promise<Result> {
    const { maxRetryAfterMs, onLimited } = this.#options;
    const lane = where.endsWith(tokenPath) ? this.#tokens : this.#all;
    const lanes = [...new Set([lane, this.#all])];
    for (let waitedMs = 0; ; ) {
      const received = await this.#sendInTurn(lanes, send);
      if (received === undefined) continue;
      const { resetMs, retryAfterMs } = limitIn(received);
      if (received.status !== 429 || accepts?.(429) === true) {
        if (received.status !== 429) for (const usedLane of lanes) usedLane.admitted(this.#now());
        if (resetMs !== undefined && resetMs <= maxRetryAfterMs) this.#pause(lane, resetMs);
        return received;
      }
      const askedMs = retryAfterMs ?? resetMs ?? lane.usualPauseMs(this.#now());
      const pauseMs = Math.max(askedMs, minPauseMs);
      onLimited?.(pauseMs);
      waitedMs += pauseMs;
      if (waitedMs > maxRetryAfterMs) {
        const seconds = Math.ceil(pauseMs / 1000);
        const asked = retryAfterMs === undefined ? 'no Retry-After' : `Retry-After ${seconds} s`;
        const patience = maxRetryAfterMs > 0 ? ', longer than PUBLIC_API_PATIENCE_MS' : '';
        throw new UnreachableError('rate-limited', where, asked + patience);
      }
      this.#pause(lane, pauseMs);
    }
  }

  /** Whether the token endpoint has a pace of its own, set or learnt. */
  limitsTokens(): boolean {
    return this.#tokens.intervalMs > 0;
  }

  #pause(lane: Lane, ms: number): void {
    const now = this.#now();
    // One limit for all requests shows at the token endpoint too.
    const isGeneral = lane === this.#all || this.#all.isShut(now);
    if (isGeneral && this.#tokens.isShut(now)) this.#tokens.forget();
    (isGeneral ? this.#all : this.#tokens).pause(now, now + Math.max(ms, minPauseMs));
  }

  /** @returns undefined if a pause began while the request waited: then it must wait again */
  async #sendInTurn<Result>(
    lanes: readonly Lane[],
    send: () => Promise<Result>,
  ): Promise<Result | undefined> {
    let due = 0;
    for (const lane of lanes) due = await this.#turn(lane);
    return this.#inSlot(async () => {
      if (lanes.some((lane) => lane.isShut(due))) return undefined;
      for (const lane of lanes) lane.sent += 1;
      return send();
    });
  }

  /** @returns for when the turn was */
  async #turn(lane: Lane): Promise<number> {
    const { signal, onWait } = this.#options;
    const { sleep = (ms: number) => setTimeout(ms, undefined, { signal }) } = this.#options;
    const { sent, intervalMs } = lane;
    const now = this.#now();
    const due = lane.take(now);
    const ms = due - now;
    if (ms >= 1000) onWait?.({ isForToken: lane === this.#tokens, ms, intervalMs, sent });
    if (ms > 0) await sleep(ms);
    return due;
  }
}

/** Requests that share a pace and its pauses. */
class Lane {
  /** The least time between two requests: as set, or more if the provider asks for it. */
  intervalMs: number;
  sent = 0;
  readonly #minIntervalMs: number;
  /** When the next request may be sent, and when the last pause ends that the provider requested. */
  #next = 0;
  #shutUntil = 0;
  /** When requests were answered, how many pauses in a row no answer followed, and when the first of these began. */
  readonly #answers: number[] = [];
  #inARow = 0;
  #limitedAt = 0;

  constructor(perSecond = Number.POSITIVE_INFINITY) {
    this.#minIntervalMs = 1000 / perSecond;
    this.intervalMs = this.#minIntervalMs;
  }

  isShut(now: number): boolean {
    return now < this.#shutUntil;
  }

  /** @returns when the next request may be sent */
  take(now: number): number {
    const due = Math.max(this.#next, this.#shutUntil, now);
    this.#next = due + this.intervalMs;
    return due;
  }

  /** A provider that admits requests is tried a little faster. */
  admitted(now: number): void {
    this.#answers.push(now);
    // More than a provider admits in a window that is waited for.
    if (this.#answers.length > 1000) this.#answers.shift();
    this.#inARow = 0;
    this.intervalMs = Math.max(this.#minIntervalMs, this.intervalMs * 0.98);
  }

  /** The pause after a 429 that names none. */
  usualPauseMs(now: number): number {
    return this.isShut(now) ? 1000 : 1000 * 2 ** Math.min(this.#inARow, 5);
  }

  /** All requests of the lane wait. Before these pauses the provider has admitted so many in as long a time. */
  pause(now: number, until: number): void {
    const wasShut = this.isShut(now);
    this.#shutUntil = Math.max(this.#shutUntil, until);
    if (wasShut) return;
    if (this.#inARow === 0) this.#limitedAt = now;
    this.#inARow += 1;
    const pausedMs = until - this.#limitedAt;
    const lately = this.#answers.filter((at) => at > this.#limitedAt - pausedMs).length;
    this.intervalMs = Math.max(this.intervalMs, pausedMs / Math.max(lately, 1));
    this.#next = until;
  }

  /** Forgets what it has learnt: that was about another lane. */
  forget(): void {
    this.intervalMs = this.#minIntervalMs;
    this.#shutUntil = 0;
    this.#next = 0;
  }
}

/**
 * What an answer says about limits: also `RateLimit: "name";r=0;t=30`, `RateLimit: limit=10, remaining=0, reset=30`,
 * `RateLimit-Remaining: 0`. `resetMs` is there if the provider has just admitted the last request.
 */
function limitIn(received: Received) {
  const joined = header(received, 'ratelimit') ?? '';
  const value = (short: string, long: string): string | undefined =>
    new RegExp(`\\b(?:${short}|${long})=(\\d+)`).exec(joined)?.[1] ??
    header(received, `ratelimit-${long}`) ??
    header(received, `x-ratelimit-${long}`);
  // Instants are in the provider's time, which may be simulated, so the `Date` of the answer is subtracted.
  const from = httpDate(header(received, 'date')) ?? Date.now();
  /** A number of seconds, or a large one as an instant. */
  const parseDelay = (text = ''): number | undefined =>
    /^\d+$/.test(text) ? Number(text) * 1000 - (Number(text) > 1e9 ? from : 0) : undefined;
  const retryAfter = header(received, 'retry-after');
  const date = httpDate(retryAfter);
  return {
    retryAfterMs: date === undefined ? parseDelay(retryAfter) : date - from,
    resetMs: value('r', 'remaining') === '0' ? parseDelay(value('t', 'reset')) : undefined,
  };
}
