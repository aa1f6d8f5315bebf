import type { Connection } from '../http/connections.ts';
import type { exchange } from '../http/exchange.ts';
import type { Endpoint } from '../http/request.ts';
import type { Account } from '../secrets/secret.ts';
import type { SettableClock } from '../time/clock.ts';

/** A provider to be judged. */
export interface Target {
  readonly connection: Connection;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
  readonly account: Account;
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly clock?: SettableClock;
  readonly requestsPerSecond?: number;
  /** How many probes run at once if their order does not matter. */
  readonly concurrency: number;
  /** The longest pause after a 429 (milliseconds). */
  readonly maxRetryAfterMs: number;
}

/** What a caller may choose about a round. */
export interface RoundOptions {
  readonly strict?: boolean;
  /** Ends the round at once, with its reason; the provider's clock is still released. */
  readonly signal?: AbortSignal;
}
