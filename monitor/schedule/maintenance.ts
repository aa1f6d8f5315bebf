import { instantOf } from './time-zone.ts';

/** When findings do not count. Probing continues, so that recovery is visible. */
export type Window = OneWindow | WeeklyWindow;

/** All instants are milliseconds since 1970. A window begins with its first instant and ends before its last. */
export interface OneWindow {
  readonly from: number;
  readonly until: number;
  readonly note?: string;
}

/** Repeats weekly, at the same local time, and may continue past midnight. */
interface WeeklyWindow {
  /** 0 is Sunday. */
  readonly days: readonly number[];
  /** Milliseconds after midnight, as clocks in the time zone show them. */
  readonly at: number;
  /** Milliseconds that pass, whatever clocks show. */
  readonly length: number;
  readonly note?: string;
  /** A name of the IANA time zone database; UTC unless given. */
  readonly timeZone?: string;
}

export const dayMs = 86_400_000;

/** The first of January 1970 was a Thursday. */
const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7;

/**
 * The current maintenance at an instant of the wall clock; undefined when there is none. Windows that touch or
 * overlap are merged, from a week before to a week after; the note is that of a window that includes this
 * instant.
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
 * The end of the last maintenance between two instants, at most a week apart: the provider may have discarded
 * anything that it stored. Undefined when there was none.
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

/** A weekly window in the weeks around an instant. */
function around(window: Window, wallMs: number): readonly OneWindow[] {
  if (!('days' in window)) return [window];
  const today = Math.floor(wallMs / dayMs);
  const known = latest.get(window);
  if (known?.today === today) return known.windows;
  const windows = weeksAround(window, today);
  latest.set(window, { today, windows });
  return windows;
}

/** Resolving a zone takes some 10 µs, and the maintenance of each target is checked every second. */
const latest = new WeakMap<
  WeeklyWindow,
  { readonly today: number; readonly windows: readonly OneWindow[] }
>();

/** @param today days since 1970 (UTC); the date in a zone differs by one day at most */
const weeksAround = (
  { days, at, length, note, timeZone }: WeeklyWindow,
  today: number,
): OneWindow[] =>
  Array.from({ length: 17 }, (_, index) => today - 8 + index)
    .filter((day) => days.includes(weekdayOf(day)))
    .map((day) => {
      const local = day * dayMs + at;
      const from = timeZone === undefined ? local : instantOf(local, timeZone);
      return { from, until: from + length, note };
    });

/** The same periods as windows that do not touch each other. */
function joined(windows: readonly OneWindow[]): OneWindow[] {
  const whole: { from: number; until: number }[] = [];
  for (const { from, until } of windows.toSorted((one, other) => one.from - other.from)) {
    const last = whole.at(-1);
    if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until);
    else whole.push({ from, until });
  }
  return whole;
}
