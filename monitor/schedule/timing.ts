/**
 * When something runs: at `firstAt`, then at `offset + k · period`, starting half a period or more after it. The
 * grid is fixed: a late run does not shift it. Milliseconds on a monotonic clock; the period is infinite for a
 * single run.
 */
export interface Timing {
  readonly firstAt: number;
  readonly offset: number;
  readonly period: number;
}

export const onceAt = (firstAt: number): Timing => ({
  firstAt,
  offset: 0,
  period: Number.POSITIVE_INFINITY,
});

/**
 * The first instant of the grid that is half a period or more after the first run, so that the two are never
 * close.
 */
export function gridStart({ firstAt, offset, period }: Timing): number {
  if (period === Number.POSITIVE_INFINITY) return period;
  return offset + period * Math.ceil((firstAt + period / 2 - offset) / period);
}

/**
 * The instants of a timing from a given instant until now: their number, the last of them, and the first one after
 * now, which is undefined when there is none.
 * @param from one of the instants, not later than `now`
 */
export function instantsUntil(now: number, timing: Timing, from: number) {
  const { firstAt, period } = timing;
  const second = from === firstAt ? gridStart(timing) : from + period;
  if (period === Number.POSITIVE_INFINITY) return { count: 1, last: from, next: undefined };
  const later = now < second ? 0 : 1 + Math.floor((now - second) / period);
  const last = later === 0 ? from : second + (later - 1) * period;
  return { count: 1 + later, last, next: second + later * period };
}
