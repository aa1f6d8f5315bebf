import { lifetime } from '../../contract/time/clock.ts';
import type { Age } from './age.ts';

/**
 * `alive`: was admitted at its last check; `expired`: was refused in time, and is watched on; `failed`: has broken a
 * clause; `lost`: cannot be opened any more or was given up, which says nothing of the provider.
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

/** What an answer says of when tokens end. */
export type AgeVerdict = Exclude<CanaryVerdict, 'wrong_answer'>;

/** On which side of its end a token was. */
export const canaryPhases = ['before', 'after'] as const;
export type CanaryPhase = (typeof canaryPhases)[number];

export interface Tolerance {
  /** How far a token's life may be off 24 hours; whatever it says, a second is forgiven. */
  readonly toleranceMs: number;
}

/** Tokens that count whole seconds end up to so much early: a JWT that was made at .750 ends .750 early. */
const leastToleranceMs = 1_000;

/** What is forgiven, in milliseconds. */
export const forgiven = ({ toleranceMs }: Tolerance): number =>
  toleranceMs > leastToleranceMs ? toleranceMs : leastToleranceMs;

/**
 * What an admission or a refusal at some age proves:
 *
 * - `late_accept`: admitted, and least > 24 h + tolerance (EXPIRY-2);
 * - `early_reject`: refused, and most < 24 h − tolerance (EXPIRY-1);
 * - `ok`: right at every age that it may have been: admitted and most < 24 h, or refused and least ≥ 24 h;
 * - `undecided`: anything else, so also what is wrong by no more than the tolerance.
 */
export function verdictOf(
  { least, most }: Age,
  admitted: boolean,
  tolerance: Tolerance,
): AgeVerdict {
  const margin = forgiven(tolerance);
  if (admitted && least > lifetime + margin) return 'late_accept';
  if (!admitted && most < lifetime - margin) return 'early_reject';
  return (admitted ? most < lifetime : least >= lifetime) ? 'ok' : 'undecided';
}

/** The side of the end, by the middle where that is not certain, and by what is certain where the middle is not. */
export function phaseOf({ least, most }: Age): CanaryPhase {
  const middle = most === Infinity ? least : (least + most) / 2;
  return middle < lifetime ? 'before' : 'after';
}

/** Some token lived at least, some at most so long (milliseconds). */
export interface LifetimeBounds {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** The tightest known bounds: some token lived at least, some at most this long. An unknown bound is omitted. */
export interface Lifetime {
  readonly atLeastSeconds?: number;
  readonly atMostSeconds?: number;
}

/** The bounds after one more answer: an admission raises the lower one, a refusal takes the upper one down. */
export function tightened(
  bounds: LifetimeBounds,
  { least, most }: Age,
  admitted: boolean,
): LifetimeBounds {
  return tightest([bounds, admitted ? { atLeast: least } : { atMost: most }]);
}

/** The greatest of the lower bounds, and the smallest of the upper ones. */
export function tightest(all: readonly LifetimeBounds[]): LifetimeBounds {
  const atLeast = Math.max(...all.map((one) => one.atLeast ?? Number.NEGATIVE_INFINITY));
  const atMost = Math.min(...all.map((one) => one.atMost ?? Infinity));
  return {
    ...(Number.isFinite(atLeast) ? { atLeast } : {}),
    ...(Number.isFinite(atMost) ? { atMost } : {}),
  };
}
