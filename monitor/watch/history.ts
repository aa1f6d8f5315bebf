import { isNumber } from '../../contract/json-value.ts';
import {
  type PublishedOutcome,
  publishedOutcome,
  publishedOutcomes,
} from '../../contract/round/outcome.ts';
import type { Run } from '../round/run.ts';

/** One cell of a strip: only the data that drawing needs. */
export interface Cell {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly ending: PublishedOutcome;
  readonly durationSeconds: number;
}

const most = { cells: 60, failures: 5 };

/** A cell is two numbers: its start together with its outcome, and its duration. */
const numbers = 2;

/**
 * The last runs of one probe, oldest first. Failures are stored separately and completely, so that successes do not
 * push them out. A monitor has tens of thousands of histories. So cells are numbers in one array, which takes a
 * fifth of the memory of objects.
 */
export class History {
  #packed = new Float64Array(0);
  #count = 0;
  readonly #failures: Run[];

  /** @param cells of an earlier history @param failures of an earlier history */
  constructor(cells: readonly Cell[] = [], failures: readonly Run[] = []) {
    for (const cell of cells.slice(-most.cells)) this.#push(cell);
    this.#failures = failures.slice(-most.failures);
  }

  add(run: Run): void {
    const { startedAt, result } = run;
    const { outcome, durationSeconds } = result;
    this.#push({ startedAt, ending: publishedOutcome(outcome), durationSeconds });
    if (outcome === 'passed') return;
    this.#failures.push(run);
    if (this.#failures.length > most.failures) this.#failures.shift();
  }

  cells(): Cell[] {
    return unpacked(this.saved());
  }

  /** The cells as numbers, for the state file, which is written after each run. */
  saved(): number[] {
    // Several times as fast as `Array.from`, which makes an object of each number.
    const saved: number[] = [];
    for (const each of this.#packed.subarray(0, numbers * this.#count)) saved.push(each);
    return saved;
  }

  failures(): readonly Run[] {
    return this.#failures;
  }

  #push({ startedAt, ending, durationSeconds }: Cell): void {
    if (this.#count === most.cells) {
      this.#packed.copyWithin(0, numbers);
      this.#count -= 1;
    }
    const at = numbers * this.#count;
    if (at === this.#packed.length) this.#grow();
    this.#packed[at] =
      Math.round(startedAt) * publishedOutcomes.length + publishedOutcomes.indexOf(ending);
    this.#packed[at + 1] = durationSeconds;
    this.#count += 1;
  }

  #grow(): void {
    const larger = new Float64Array(numbers * Math.min(most.cells, Math.max(4, 2 * this.#count)));
    larger.set(this.#packed);
    this.#packed = larger;
  }
}

/** Reads cells from `saved`; of any other value there are none. */
export const cellsFrom = (value: unknown): Cell[] =>
  Array.isArray(value) && value.every(isNumber) ? unpacked(value) : [];

function unpacked(packed: readonly number[]): Cell[] {
  return Array.from({ length: Math.floor(packed.length / numbers) }, (_, index) => {
    const began = packed[numbers * index] ?? 0;
    const startedAt = Math.floor(began / publishedOutcomes.length);
    const ending = publishedOutcomes[began - startedAt * publishedOutcomes.length] ?? 'defect';
    return { startedAt, ending, durationSeconds: packed[numbers * index + 1] ?? 0 };
  });
}
