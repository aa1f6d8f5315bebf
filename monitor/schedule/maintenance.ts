/** When nothing that is found counts. Probing goes on, so that what is back can be seen. */
export type Window = OneWindow | WeeklyWindow;

/** All instants are milliseconds since 1970. A window begins with its first instant and ends before its last. */
export interface OneWindow {
  readonly from: number;
  readonly until: number;
  readonly note?: string;
}

/** Comes again each week, in UTC, and may go on past midnight. */
interface WeeklyWindow {
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Milliseconds after midnight. */
  readonly at: number;
  /** Milliseconds. */
  readonly length: number;
  readonly note?: string;
}

export const dayMs = 86_400_000;

/** The first of January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/**
 * The maintenance that is under way at an instant of the wall clock; undefined when none is. Windows that touch or
 * overlap are one, seen from a week before to a week after; the note is that of a window that holds at this instant.
 */
export function windowAt(windows: readonly Window[], wallMs: number): OneWindow | undefined {
  const holds = ({ from, until }: OneWindow): boolean => from <= wallMs && wallMs < until;
  const all = windows.flatMap((window) => around(window, wallMs));
  const now = all.filter(holds);
  if (now.length === 0) return undefined;
  const note = now.find((window) => window.note !== undefined)?.note;
  const whole = joined(all).find(holds);
  if (whole === undefined) return undefined;
  return { ...whole, note };
}

/**
 * The end of the last maintenance that was under way at some time between two instants, at most a week apart: whatever
 * the provider remembers may have been thrown away in it. Undefined when there was none.
 */
export function doubtedUntil(
  windows: readonly Window[],
  from: number,
  to: number,
): number | undefined {
  const ends = windows
    .flatMap((window) => around(window, to))
    .filter((one) => one.from <= to && from < one.until)
    .map(({ until }) => until);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

/** A window as it comes in the weeks around an instant. */
function around(window: Window, wallMs: number): OneWindow[] {
  if (!('days' in window)) return [window];
  const { days, at, length, note } = window;
  const today = Math.floor(wallMs / dayMs);
  return Array.from({ length: 15 }, (_, index) => today - 7 + index)
    .filter((day) => days.includes(weekdayOf(day)))
    .map((day) => {
      const from = day * dayMs + at;
      return { from, until: from + length, note };
    });
}

/** The same time in windows that do not touch one another. */
function joined(windows: readonly OneWindow[]): OneWindow[] {
  const whole: { from: number; until: number }[] = [];
  for (const { from, until } of windows.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else whole.push({ from, until });
  }
  return whole;
}
