/** A provider's clock that can be stopped and set. Instants are milliseconds since 1970, UTC. */
export interface SettableClock {
  readonly name: string;
  /** It moves the provider's whole process, and so also the times in its answers. */
  readonly movesProcess?: true;
  /** The provider's time now. @throws ClockError */
  read(): Promise<number>;
  /** Stops the provider's time at an instant. @throws ClockError */
  set(instant: number): Promise<void>;
  /** Lets real time continue. */
  release(): Promise<void>;
}

/** A probe's view of simulated time. */
export interface Clock {
  now(): number;
  pass(ms: number): Promise<void>;
  /** Waits for an instant; an instant in the past is an error of the probe. */
  until(instant: number): Promise<void>;
  /** How far the provider's time may be from this one; absent where it stands still (milliseconds). */
  readonly toleranceMs?: number;
}

/** The test clock cannot be read or set: that proves nothing about the provider. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
}

/** Time was not stopped where it was set: ages of tokens that depend on it are wrong. */
export class ClockMovedError extends ClockError {}

/** The provider's process does not follow its clock. What needs no simulated time can still be judged. */
export class ClockIgnoredError extends ClockError {}

/** The first whole second after an instant. JWTs count them: a token that is issued at .750 ends .750 early. */
export const nextWholeSecond = (instant: number): number => Math.floor(instant / 1000 + 1) * 1000;
