import { realTime, type Time } from '../schedule/time.ts';

/** How long a result is reused. */
const freshMs = 1_000;

/**
 * Shares the result of an expensive call among all requests within a second, because some routes are open to all.
 * @param find its errors reach all waiting callers, and are not cached
 */
export function lately<Found>(
  find: () => Promise<Found>,
  time: Pick<Time, 'monotonic'> = realTime,
): () => Promise<Found> {
  let latest: { readonly found: Promise<Found>; readonly at: number } | undefined;
  return () => {
    const now = time.monotonic();
    if (latest !== undefined && now - latest.at < freshMs) return latest.found;
    const found = find();
    latest = { found, at: now };
    found.catch(() => {
      if (latest?.found === found) latest = undefined;
    });
    return found;
  };
}
