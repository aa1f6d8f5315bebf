import { realTime, type Time } from '../schedule/time.ts';

/** What was found is given again for so long. */
const freshMs = 1_000;

/**
 * Shares what is costly to find among all who ask within a second: some routes are open to all.
 * @param find what it throws is thrown to all who wait for it, and not remembered
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
