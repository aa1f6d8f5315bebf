import { field, isNumber, isObject } from '../../contract/http/answer.ts';
import { days } from '../../contract/time/clock.ts';
import type { StateStore } from '../state/state.ts';

/** A mistyped secret key is usually corrected within this time. Then the canaries can be opened again. */
const keptMs = days(7);

/**
 * Canaries in the state file that cannot be opened. They are damaged, or were sealed with another address or other
 * credentials.
 */
export class Unopened {
  readonly #target: string;
  readonly #state: StateStore;
  /** For each id, when the canary could first not be opened (wall clock). */
  readonly #since = new Map<string, number>();

  constructor(target: string, state: StateStore) {
    this.#target = target;
    this.#state = state;
  }

  /** Keeps such a canary in the file. @param row its content in the file @param now wall clock */
  keep(id: string, row: unknown, now: number): void {
    const before = field(row, 'unopenedAt');
    // A time in the future was written by a different clock.
    const at = isNumber(before) && before <= now ? before : now;
    this.#since.set(id, at);
    const rest = isObject(row) ? row : {};
    this.#state.put(this.#target, 'canary', id, { ...rest, unopenedAt: at });
    this.tidy(now);
  }

  /** Removes canaries from the file that could not be opened for a week. @param now wall clock */
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

export const unopenedNote = (target: string, count: number): string =>
  `${target}: ${count} of its canaries in the state file cannot be opened with its address and credentials: ` +
  'they are kept for a week, in case one of these is wrong';
