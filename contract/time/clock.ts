/** Milliseconds; the contract calculates only in them. */
export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => seconds(60 * count);
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);

/** The validity of every access token (Limits). */
export const lifetime = hours(24);

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
export class ClockMoved extends ClockError {}

/** The provider's process does not follow its clock. What needs no simulated time can still be judged. */
export class ClockIgnored extends ClockError {}

/** `24 h 00 min 00.000 s`, with days in front where there are any beyond the first. */
export function duration(ms: number): string {
  const rest = Math.abs(Math.round(ms));
  const sign = ms < 0 && rest > 0 ? '-' : '';
  const wholeDays = rest >= days(2) ? Math.floor(rest / days(1)) : 0;
  const left = rest - days(wholeDays);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${Math.floor(left / hours(1))} h ${two(Math.floor(left / minutes(1)) % 60)} min`;
  return `${sign}${wholeDays > 0 ? `${wholeDays} d ` : ''}${clock} ${((left % minutes(1)) / 1000).toFixed(3).padStart(6, '0')} s`;
}

/** A length of time in the largest unit that it fills: `30 s`, `1.5 h`, `12 d`. */
export function timeText(ms: number): string {
  const units = { d: days(1), h: hours(1), min: minutes(1) };
  const [unit, unitMs] = Object.entries(units).find(([, each]) => ms >= each) ?? ['s', seconds(1)];
  return `${Math.round((ms / unitMs) * 10) / 10} ${unit}`;
}

/** The first whole second after an instant. JWTs count them: a token that is issued at .750 ends .750 early. */
export const nextWholeSecond = (instant: number): number => Math.floor(instant / 1000 + 1) * 1000;
