import type { Ending } from '../../contract/round/attempt.ts';
import type { Run } from '../target/run.ts';

/** One cell of a strip: as little as is needed to draw it. */
export interface Cell {
  readonly startedAt: number;
  readonly ending: Ending;
  readonly durationSeconds: number;
}

/**
 * The last runs of one probe, oldest first. Failures are kept apart, whole, so that successes do not wash them away.
 */
export interface History {
  add(run: Run): void;
  cells(): readonly Cell[];
  failures(): readonly Run[];
}

const most = { cells: 60, failures: 5 };

/** A history, which stays within its bounds. @param past what was kept of an earlier one */
export function history(
  past: { readonly cells: readonly Cell[]; readonly failures: readonly Run[] } = {
    cells: [],
    failures: [],
  },
): History {
  const cells = past.cells.slice(-most.cells);
  const failures = past.failures.slice(-most.failures);
  return {
    add(run) {
      const { startedAt, outcome } = run;
      const { ending, durationSeconds } = outcome;
      cells.push({ startedAt, ending, durationSeconds });
      if (cells.length > most.cells) cells.shift();
      if (ending === 'kept') return;
      failures.push(run);
      if (failures.length > most.failures) failures.shift();
    },
    cells: () => cells,
    failures: () => failures,
  };
}
