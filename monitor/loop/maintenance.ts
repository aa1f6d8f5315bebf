/** A period in which findings do not count. Probing continues, so that recovery is visible. Milliseconds since 1970. */
export interface Window {
  readonly from: number;
  readonly until: number;
  readonly note?: string;
}

/**
 * The current maintenance at an instant of the wall clock; undefined when there is none. Windows that touch or
 * overlap are merged; the note is that of a window that includes this instant.
 */
export function windowAt(windows: readonly Window[], wallMs: number): Window | undefined {
  let whole = { from: Number.NEGATIVE_INFINITY, until: Number.NEGATIVE_INFINITY };
  for (const { from, until } of windows.toSorted((one, other) => one.from - other.from)) {
    if (from > Math.max(wallMs, whole.until)) break;
    if (from > whole.until) whole = { from, until };
    else whole = { from: whole.from, until: Math.max(whole.until, until) };
  }
  if (wallMs >= whole.until) return undefined;
  const current = windows.filter(({ from, until }) => from <= wallMs && wallMs < until);
  return { ...whole, note: current.find(({ note }) => note !== undefined)?.note };
}

/**
 * The end of the last maintenance between two instants: the provider may have discarded anything that it stored.
 * Undefined when there was none.
 */
export function doubtedUntil(
  windows: readonly Window[],
  from: number,
  to: number,
): number | undefined {
  const ends = windows.filter((one) => one.from <= to && from < one.until);
  return ends.length === 0 ? undefined : Math.max(...ends.map(({ until }) => until));
}
