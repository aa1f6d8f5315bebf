/**
 * Does what is asked for often, but not so often: on a fast clock every second of it would come a thousand times.
 * @param everyMs of real time
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
