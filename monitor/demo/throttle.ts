/**
 * Limits how often `work` runs: at most once per `everyMs` of real time. On a fast clock, a job that runs every
 * simulated second would otherwise run a thousand times per second.
 * @param everyMs milliseconds of real time
 */
export function throttle<Result>(
  everyMs: number,
  work: () => Result,
  now = () => performance.now(),
): (...unused: unknown[]) => Result | undefined {
  let nextAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() < nextAt) return undefined;
    nextAt = now() + everyMs;
    return work();
  };
}
