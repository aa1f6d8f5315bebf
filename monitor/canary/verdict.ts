import { lifetime } from '../../contract/durations.ts';
import type { Age } from './age.ts';

/**
 * `alive`: admitted at its last check. `expired`: refused in time, and still checked. `failed`: violated a clause.
 * `lost`: given up, which shows nothing about the provider.
 */
export const canaryStates = ['alive', 'expired', 'failed', 'lost'] as const;
export type CanaryState = (typeof canaryStates)[number];

export const canaryVerdicts = [
  'ok',
  'late_accept',
  'early_reject',
  'wrong_answer',
  'undecided',
] as const;
export type CanaryVerdict = (typeof canaryVerdicts)[number];

/** What an answer shows about the lifetime of tokens. */
export type AgeVerdict = Exclude<CanaryVerdict, 'wrong_answer'>;

/** Whether a token was before or after its end. */
export const canaryPhases = ['before', 'after'] as const;
export type CanaryPhase = (typeof canaryPhases)[number];

export interface Tolerance {
  /** How far a token's life may differ from 24 hours. A second is tolerated in any case. */
  readonly toleranceMs: number;
}

/** Tokens with times in whole seconds expire up to this much early: a JWT issued at .750 expires .750 early. */
const minToleranceMs = 1_000;

/** The effective tolerance in milliseconds. */
export const effectiveToleranceMs = ({ toleranceMs }: Tolerance): number =>
  toleranceMs > minToleranceMs ? toleranceMs : minToleranceMs;

/**
 * What an admission or a refusal at some age proves:
 * - `late_accept`: admitted, and least > 24 h + tolerance (EXPIRY-2);
 * - `early_reject`: refused, and most < 24 h − tolerance (EXPIRY-1);
 * - `ok`: right at every possible age: admitted and most < 24 h, or refused and least ≥ 24 h;
 * - `undecided`: anything else, including an error within the tolerance.
 */
export function judgeAge(
  { least, most }: Age,
  admitted: boolean,
  tolerance: Tolerance,
): AgeVerdict {
  const margin = effectiveToleranceMs(tolerance);
  if (admitted && least > lifetime + margin) return 'late_accept';
  if (!admitted && most < lifetime - margin) return 'early_reject';
  return (admitted ? most < lifetime : least >= lifetime) ? 'ok' : 'undecided';
}

/** Whether the age is before or after the end, by the middle of its range, or by `least` if `most` is unknown. */
export function findPhase({ least, most }: Age): CanaryPhase {
  const middle = most === Infinity ? least : (least + most) / 2;
  return middle < lifetime ? 'before' : 'after';
}

/** Some token lived at least, and some token at most, this long (milliseconds). */
export interface LifetimeBounds {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The bounds after one more answer. An admission may raise the lower bound; a refusal may reduce the upper bound. */
export function tighten(
  bounds: LifetimeBounds,
  { least, most }: Age,
  admitted: boolean,
): LifetimeBounds {
  return findTightest([bounds, admitted ? { atLeast: least } : { atMost: most }]);
}

/** The greatest of the lower bounds, and the smallest of the upper ones. */
export function findTightest(all: readonly LifetimeBounds[]): LifetimeBounds {
  const atLeast = Math.max(...all.map((bounds) => bounds.atLeast ?? Number.NEGATIVE_INFINITY));
  const atMost = Math.min(...all.map((bounds) => bounds.atMost ?? Infinity));
  return {
    ...(Number.isFinite(atLeast) ? { atLeast } : {}),
    ...(Number.isFinite(atMost) ? { atMost } : {}),
  };
}
