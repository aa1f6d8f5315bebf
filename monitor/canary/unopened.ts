import { field, isNumber, isObject } from '../../contract/http/answer.ts';
import { days } from '../../contract/time/clock.ts';
import type { StateStore } from '../state/state.ts';

/** A secret key that was mistyped is set right within that, and they open again. */
const keptMs = days(7);

/**
 * Canaries in the state file that do not open: with another address or other credentials than those that sealed them,
 * or damaged.
 */
export class Unopened {
  readonly #target: string;
  readonly #state: StateStore;
  /** By its id, when each did not open first (wall clock). */
  readonly #since = new Map<string, number>();

  constructor(target: string, state: StateStore) {
    this.#target = target;
    this.#state = state;
  }

  /** Leaves one in the file. @param row what the file holds of it @param now wall clock */
  keep(id: string, row: unknown, now: number): void {
    const before = field(row, 'unopenedAt');
    // What says that it comes from the future was written on another clock.
    const at = isNumber(before) && before <= now ? before : now;
    this.#since.set(id, at);
    const rest = isObject(row) ? row : {};
    this.#state.put(this.#target, 'canary', id, { ...rest, unopenedAt: at });
    this.tidy(now);
  }

  /** Takes those out of the file that did not open for a week. @param now wall clock */
  tidy(now: number): void {
    for (const [id, at] of this.#since)
      if (now - at > keptMs) {
        this.#since.delete(id);
        this.#state.remove(this.#target, 'canary', id);
      }
  }

  count(): number {
    return this.#since.size;
  }
}

/** One line for the log. */
export const unopenedNote = (target: string, count: number): string =>
  `${target}: ${count} of its canaries in the state file cannot be opened with its address and credentials: ` +
  'they are kept for a week, in case one of these is wrong';
