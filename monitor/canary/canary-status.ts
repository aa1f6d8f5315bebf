import { type CanaryState, type Lifetime, tightest } from './verdict.ts';
import type { Canary } from './canary.ts';
import type { CanaryCheckStatus } from './check-log.ts';

/** What canaries show about the lifetime of tokens. */
export interface TokenStatus extends Lifetime {
  /** Why canaries are not started; absent if they are. */
  readonly off?: string;
  readonly canaries: Readonly<Record<CanaryState, number>>;
  readonly toleranceSeconds: number;
  /** The latest checks, the latest first. */
  readonly checks: readonly CanaryCheckStatus[];
}

/** The tightest bounds over all canaries. A lost canary has no upper bound: it may have been refused for any reason. */
export function lifetimeOf(canaries: readonly Canary[]): Lifetime {
  const { atLeast, atMost } = tightest(
    canaries.map(({ state, bounds }) => (state === 'lost' ? { atLeast: bounds.atLeast } : bounds)),
  );
  return { atLeastSeconds: atLeast && atLeast / 1000, atMostSeconds: atMost && atMost / 1000 };
}

export function countsOf(canaries: readonly Canary[]): Record<CanaryState, number> {
  const counts = { alive: 0, expired: 0, failed: 0, lost: 0 };
  for (const { state } of canaries) counts[state] += 1;
  return counts;
}
