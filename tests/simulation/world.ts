/** What happens to a provider for a month. */
export interface World {
  /** How far the clock of every other of its servers is ahead (milliseconds). */
  readonly skewMs: number;
  /** The share of requests that a proxy answers in its place. */
  readonly odd: number;
}

/** Nothing happens. */
export const calm: World = { skewMs: 0, odd: 0 };
