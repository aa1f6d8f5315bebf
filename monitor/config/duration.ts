import { field } from '../../contract/json-value.ts';
import type { Complaints, Path } from './complaints.ts';

export interface Every {
  readonly everySeconds: number;
}

/** The shortest and the longest accepted duration, in seconds. */
export type SecondsRange = readonly [least: number, most: number];

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The seconds in `60s`, `5m`, `4h` or `7d`. Out of range, it is undefined and recorded as a mistake. */
export function secondsAt(
  value: unknown,
  at: Path,
  [least, most]: SecondsRange,
  complaints: Complaints,
): number | undefined {
  const [, count, unit = ''] = /^(\d+)([smhd])$/.exec(typeof value === 'string' ? value : '') ?? [];
  const length = units[unit];
  if (count === undefined || length === undefined) return undefined;
  return bounded(Number(count) * length, at, [least, most], complaints);
}

/** The seconds in `250ms` or `2s`, with the same rules. */
export function shortSecondsAt(
  value: unknown,
  at: Path,
  range: SecondsRange,
  complaints: Complaints,
): number | undefined {
  const [, count] = /^(\d+)ms$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (count === undefined) return secondsAt(value, at, range, complaints);
  return bounded(Number(count) / 1000, at, range, complaints);
}

function bounded(
  seconds: number,
  at: Path,
  [least, most]: SecondsRange,
  complaints: Complaints,
): number | undefined {
  if (seconds >= least && seconds <= most) return seconds;
  complaints.about(at, `is not from ${durationText(least)} to ${durationText(most)}`);
  return undefined;
}

export function everyAt(
  value: unknown,
  at: Path,
  bounds: SecondsRange,
  complaints: Complaints,
): 'off' | Every | undefined {
  if (value === 'off') return 'off';
  const everySeconds = secondsAt(field(value, 'every'), [...at, 'every'], bounds, complaints);
  return everySeconds === undefined ? undefined : { everySeconds };
}

/** Seconds in the largest unit that is exact: `90s`, `4h`. */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)}ms`;
  const [unit = 's', length = 1] =
    Object.entries(units)
      .toReversed()
      .find(([, one]) => seconds >= one && seconds % one === 0) ?? [];
  return `${seconds / length}${unit}`;
}
