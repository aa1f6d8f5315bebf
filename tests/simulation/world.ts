/** What befalls a provider for a month. */
export interface World {
  /** How far the clock of every other of its servers is ahead (milliseconds). */
  readonly skewMs: number;
  /** How much of the requests a proxy answers in its place. */
  readonly odd: number;
}

/** Nothing does. */
export const calm: World = { skewMs: 0, odd: 0 };
