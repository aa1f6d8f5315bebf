import { field, isNumber, isObject } from '../../contract/http/answer.ts';
import { days } from '../../contract/time/clock.ts';
import type { StateStore } from '../state/state.ts';

/**
 * Canaries in the state file that do not open: with another address or other credentials than those that sealed them,
 * or damaged.
 */
export interface Unopened {
  /** Leaves one in the file. @param row what the file holds of it @param now wall clock */
  keep(id: string, row: unknown, now: number): void;
  /** Takes those out of the file that did not open for a week. @param now wall clock */
  tidy(now: number): void;
  count(): number;
}

/** A secret key that was mistyped is set right within that, and they open again. */
const keptMs = days(7);

export function unopenedOf(target: string, state: StateStore): Unopened {
  const since = new Map<string, number>();

  function tidy(now: number): void {
    for (const [id, at] of since)
      if (now - at > keptMs) {
        since.delete(id);
        state.remove(target, 'canary', id);
      }
  }

  return {
    keep(id, row, now) {
      const before = field(row, 'unopenedAt');
      // What says that it comes from the future was written on another clock.
      const at = isNumber(before) && before <= now ? before : now;
      since.set(id, at);
      state.put(target, 'canary', id, { ...(isObject(row) ? row : {}), unopenedAt: at });
      tidy(now);
    },
    tidy,
    count: () => since.size,
  };
}

/** One line for the log. */
export const unopenedNote = (target: string, count: number): string =>
  `${target}: ${count} of its canaries in the state file cannot be opened with its address and credentials: ` +
  'they are kept for a week, in case one of these is wrong';
