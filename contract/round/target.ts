import type { Connection } from '../http/connections.ts';
import type { exchange } from '../http/exchange.ts';
import type { Endpoint } from '../http/request.ts';
import type { Account } from '../secrets/secret.ts';
import type { SettableClock } from '../time/clock.ts';

/** How much a round tries: `quick` the most telling of it, `deep` the deep probes on every endpoint. */
export type Level = 'quick' | 'default' | 'deep';

/** What of the contract a round tries, and for how long. */
export interface Extent {
  readonly level?: Level;
  /** Clauses that are neither judged nor reported. */
  readonly excluded?: ReadonlySet<string>;
  /** Milliseconds. */
  readonly maxTimeMs?: number;
}

/** A provider to be judged. */
export interface Target extends Extent {
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
