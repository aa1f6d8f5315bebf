import { randomUUID } from 'node:crypto';
import {
  type Age,
  type Anchor,
  ageAt,
  anchoredBy,
  type Exchange,
  isDated,
  moved,
  type Reading,
} from './age.ts';
import { type CheckTimes, dueIn, reachedAge } from './check-times.ts';
import {
  type AgeVerdict,
  type CanaryPhase,
  type CanaryState,
  type CanaryVerdict,
  type Lifetime,
  type LifetimeBounds,
  phaseOf,
  type Tolerance,
  tightened,
  tightest,
  verdictOf,
} from './verdict.ts';

/**
 * A token that is kept to see when it expires, without the token itself. It is immutable: each step returns a new
 * object.
 */
export interface Canary {
  /** Unique among all canaries. */
  readonly id: string;
  /** The status of the answer when it was new, and admitted. */
  readonly controlStatus: number;
  /** Milliseconds since 1970, on the wall clock. */
  readonly madeAt: number;
  readonly state: CanaryState;
  readonly anchor: Anchor;
  readonly bounds: LifetimeBounds;
  /** See `dueIn`. */
  readonly climbed: number;
  /** When the latest admitted request began (wall clock). */
  readonly admittedAt: number;
  /** Maintenance may have discarded the token at any time before this instant (wall clock). */
  readonly doubtedUntil?: number;
  /** The greatest difference between the clocks of the provider's servers that counted at a check. */
  readonly clocksDiffer?: ClockDifference;
}

/** A difference between the clocks of the provider's servers (milliseconds), and the uptime when it was observed. */
export interface ClockDifference {
  readonly ms: number;
  readonly at: number;
}

export interface Issue extends Exchange {
  readonly controlStatus: number;
  /** The reference of its age, when the token may have been issued before. */
  readonly firstSeen?: Anchor;
}

/** A new canary. @param issue the exchange that issued the token, and the result of its first use */
export function issued({ s, r, controlStatus, firstSeen }: Issue): Canary {
  return {
    id: randomUUID(),
    controlStatus,
    madeAt: firstSeen?.s.wall ?? s.wall,
    state: 'alive',
    anchor: firstSeen === undefined ? anchoredBy({ s, r }) : moved(firstSeen, r),
    bounds: {},
    climbed: 0,
    admittedAt: s.wall,
  };
}

/** A request with the token, and its result: a wrong answer is neither an admission nor a proper refusal. */
export interface CheckAnswer extends Exchange {
  readonly admitted: boolean | 'wrong_answer';
}

export interface Check {
  /** Wall clock, when the request began. */
  readonly at: number;
  readonly age: Age;
  readonly phase: CanaryPhase;
  readonly admitted: boolean;
  readonly verdict: CanaryVerdict;
}

/**
 * Applies a check. A violation is reported once: a canary that has failed or is lost stays so, and its later
 * checks decide nothing. A wrong answer affects only the check times.
 */
export function checked(
  canary: Canary,
  { s, r, admitted }: CheckAnswer,
  tolerance: Tolerance,
): { readonly canary: Canary; readonly check: Check } {
  const age = ageAt(canary.anchor, { s, r });
  const dated = isDated(canary.anchor, { s, r });
  const { verdict, ...learnt } = conclude(canary, age, admitted, { ...tolerance, dated });
  const now = touched(canary, s);
  return {
    canary: {
      ...now,
      ...learnt,
      climbed: Math.max(now.climbed, reachedAge(ageBy(now.anchor, s))),
      admittedAt: admitted === true ? s.wall : now.admittedAt,
    },
    check: { at: s.wall, age, phase: phaseOf(age), admitted: admitted === true, verdict },
  };
}

/**
 * The same canary, with its age proven up to now. Only the latest stored one survives a reboot, so store it every
 * few minutes.
 */
export function touched(canary: Canary, now: Reading): Canary {
  const anchor = moved(canary.anchor, now);
  // If the clock is now behind the latest admission, it was ahead at that time.
  return { ...canary, anchor, admittedAt: Math.min(canary.admittedAt, now.wall) };
}

/**
 * How long until the next check is due: 0 when it is due now, also when the last one got no answer.
 * @returns milliseconds of monotonic time; undefined when the canary is not checked any more
 */
export function nextCheckIn(canary: Canary, now: Reading, times: CheckTimes): number | undefined {
  return isOver(canary) ? undefined : dueIn(ageBy(canary.anchor, now), canary.climbed, times);
}

/**
 * Marks a canary as doubtful, since maintenance may discard tokens. If it is refused before its end, and no
 * request that began at `sinceWall` or later was admitted, it is lost, and violates no clause.
 * @param sinceWall the end of the window, which may be in the future: milliseconds since 1970
 */
export const silenced = (canary: Canary, sinceWall: number): Canary => ({
  ...canary,
  doubtedUntil: Math.max(canary.doubtedUntil ?? sinceWall, sinceWall),
});

/** The canary of a token that may be older than it seemed. It can now prove only a late accept. */
export const maybeOlder = (canary: Canary): Canary => ({
  ...canary,
  anchor: { ...canary.anchor, most: Infinity },
});

/** The canary as lost; one that has failed stays so. */
export const lost = (canary: Canary): Canary =>
  canary.state === 'failed' ? canary : { ...canary, state: 'lost' };

/** The decision of a check, and the canary after it. */
function conclude(
  canary: Canary,
  age: Age,
  admitted: CheckAnswer['admitted'],
  { dated, ...tolerance }: Tolerance & { readonly dated: boolean },
): Pick<Check, 'verdict'> & Pick<Canary, 'state' | 'bounds'> {
  const { state, bounds } = canary;
  if (isOver(canary)) return { verdict: 'undecided', state, bounds };
  if (admitted === 'wrong_answer') return { verdict: admitted, state, bounds };
  const verdict = verdictOf(age, admitted, tolerance);
  // If the token may have been discarded, its refusal shows nothing about lifetimes.
  const isDiscarded = !admitted && isDoubted(canary);
  if (verdict === 'early_reject' && isDiscarded)
    return { verdict: 'undecided', state: 'lost', bounds };
  // The whole machine may have been stopped. Only the provider's `Date` would show that.
  if (verdict === 'early_reject' && !dated) return { verdict: 'undecided', state, bounds };
  return {
    verdict,
    state: stateAfter(state, admitted, verdict),
    bounds: isDiscarded ? bounds : tightened(bounds, age, admitted),
  };
}

/** Only a refusal that is certainly right makes a canary expired, and that is final. */
function stateAfter(state: CanaryState, admitted: boolean, verdict: AgeVerdict): CanaryState {
  if (verdict === 'late_accept' || verdict === 'early_reject') return 'failed';
  return !admitted && verdict === 'ok' ? 'expired' : state;
}

const isOver = ({ state }: Canary): boolean => state === 'failed' || state === 'lost';

const isDoubted = ({ admittedAt, doubtedUntil }: Canary): boolean =>
  doubtedUntil !== undefined && admittedAt < doubtedUntil;

/** The age now by this machine's clocks alone. Check times must be the same before, during and after a check. */
function ageBy(anchor: Anchor, { provider: _, ...now }: Reading): Age {
  return ageAt(anchor, { s: now, r: now });
}

/** What canaries show about the lifetime of tokens. */
export interface TokenStatus extends Lifetime {
  /** Why canaries are not started; absent if they are. */
  readonly off?: string;
  readonly canaries: Readonly<Record<CanaryState, number>>;
  readonly toleranceSeconds: number;
}

/** The tightest bounds over all canaries. A lost canary has no upper bound: it may have been refused for any reason. */
export function lifetimeOf(canaries: readonly Canary[]): Lifetime {
  const { atLeast, atMost } = tightest(
    canaries.map(({ state, bounds }) => (state === 'lost' ? { atLeast: bounds.atLeast } : bounds)),
  );
  return { atLeastSeconds: atLeast && atLeast / 1000, atMostSeconds: atMost && atMost / 1000 };
}
