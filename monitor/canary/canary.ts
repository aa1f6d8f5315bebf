import { randomUUID } from 'node:crypto';
import { isObject } from '../../contract/json-value.ts';
import {
  type Age,
  type Anchor,
  ageAt,
  createAnchor,
  type Exchange,
  isDated,
  moveAnchor,
  type Reading,
} from './age.ts';
import { type CheckTimes, dueIn, reachedAge } from './check-times.ts';
import {
  type CanaryPhase,
  type CanaryState,
  type CanaryVerdict,
  findPhase,
  judgeAge,
  type LifetimeBounds,
  type Tolerance,
  tighten,
} from './verdict.ts';

/** A token that is kept to see when it expires, without the token itself. Its JSON is in the state file. */
export interface Canary {
  readonly id: string;
  /** The status of the answer when it was new, and admitted. */
  readonly controlStatus: number;
  /** Milliseconds since 1970, on the wall clock. */
  readonly madeAt: number;
  readonly state: CanaryState;
  readonly anchor: Anchor;
  readonly bounds: LifetimeBounds;
  /** The age up to which its check times are done: see `dueIn`. */
  readonly climbed: number;
  /** When the latest admitted request began (wall clock). */
  readonly admittedAt: number;
}

/** Reads a canary from JSON, in which Infinity is null; undefined if the value is not a canary. */
export function restoreCanary(value: unknown, now: Reading): Canary | undefined {
  if (!isObject(value) || !isObject(value.anchor)) return undefined;
  const saved = value as unknown as Canary;
  const anchor = { ...saved.anchor, most: saved.anchor.most ?? Infinity };
  return { ...saved, anchor: moveAnchor(anchor, now) };
}

/** A new canary. @param firstSeen the reference of its age, when the token may have been issued before */
export const createCanary = (
  exchange: Exchange,
  controlStatus: number,
  firstSeen?: Anchor,
): Canary => ({
  id: randomUUID(),
  controlStatus,
  madeAt: (firstSeen ?? exchange).s.wall,
  state: 'alive',
  anchor: firstSeen === undefined ? createAnchor(exchange) : moveAnchor(firstSeen, exchange.r),
  bounds: {},
  climbed: 0,
  admittedAt: exchange.s.wall,
});

/** A request with the token, and its result: a wrong answer is neither an admission nor a proper refusal. */
export interface CheckAnswer extends Exchange {
  readonly admitted: boolean | 'wrong_answer';
  /** Whether maintenance may have discarded the token since it was last admitted. */
  readonly isDoubtful?: boolean;
}

export interface Check {
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
export function applyCheck(
  canary: Canary,
  answer: CheckAnswer,
  tolerance: Tolerance,
): { readonly canary: Canary; readonly check: Check } {
  const { s, admitted } = answer;
  const age = ageAt(canary.anchor, answer);
  const { verdict, ...conclusion } = conclude(canary, age, answer, tolerance);
  const now = proveAgeUntil(canary, s);
  return {
    canary: {
      ...now,
      ...conclusion,
      climbed: Math.max(now.climbed, reachedAge(ageBy(now.anchor, s))),
      admittedAt: admitted === true ? s.wall : now.admittedAt,
    },
    check: { at: s.wall, age, phase: findPhase(age), admitted: admitted === true, verdict },
  };
}

/** The same canary, with its age proven up to now: only the latest stored one survives a reboot. */
export function proveAgeUntil(canary: Canary, now: Reading): Canary {
  const anchor = moveAnchor(canary.anchor, now);
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

/** The canary if its token may be older than it seemed. From then on it can prove only a late accept. */
export const forgetMaxAge = (canary: Canary): Canary => ({
  ...canary,
  anchor: { ...canary.anchor, most: Infinity },
});

/** The canary as lost, without an upper bound: it may have been refused for any reason. A failed one stays so. */
export const markLost = (canary: Canary): Canary =>
  canary.state === 'failed'
    ? canary
    : { ...canary, state: 'lost', bounds: { atLeast: canary.bounds.atLeast } };

/** The verdict of a check, and the state and bounds of the canary after it. */
function conclude(
  canary: Canary,
  age: Age,
  { admitted, isDoubtful = false, ...exchange }: CheckAnswer,
  tolerance: Tolerance,
): Pick<Check, 'verdict'> & Pick<Canary, 'state' | 'bounds'> {
  const { state, bounds } = canary;
  if (isOver(canary)) return { verdict: 'undecided', state, bounds };
  if (admitted === 'wrong_answer') return { verdict: admitted, state, bounds };
  const verdict = judgeAge(age, admitted, tolerance);
  // If the token may have been discarded, its refusal shows nothing about lifetimes. Nor does it if the whole machine
  // may have been stopped: only the provider's `Date` would show that.
  const isDiscarded = !admitted && isDoubtful;
  if (verdict === 'early_reject' && (isDiscarded || !isDated(canary.anchor, exchange)))
    return { verdict: 'undecided', state: isDiscarded ? 'lost' : state, bounds };
  const isViolation = verdict === 'late_accept' || verdict === 'early_reject';
  // Only a refusal that is certainly right makes a canary expired, and that is final.
  const isExpired = !admitted && verdict === 'ok';
  const unviolated = isExpired ? 'expired' : state;
  return {
    verdict,
    state: isViolation ? 'failed' : unviolated,
    bounds: isDiscarded ? bounds : tighten(bounds, age, admitted),
  };
}

const isOver = ({ state }: Canary): boolean => state === 'failed' || state === 'lost';

/** The age now by this machine's clocks alone. Check times must be the same before, during and after a check. */
const ageBy = (anchor: Anchor, { provider: _, ...now }: Reading): Age =>
  ageAt(anchor, { s: now, r: now });
