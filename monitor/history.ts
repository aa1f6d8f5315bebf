import type { Ending } from '../contract/attempt.ts';
import type { Run } from './run.ts';

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

const bounds = { cells: 60, failures: 5 };

/** An empty history, which stays within its bounds. */
export function history({ cells: mostCells, failures: mostFailures } = bounds): History {
  const cells: Cell[] = [];
  const failures: Run[] = [];
  return {
    add(run) {
      const { startedAt, outcome } = run;
      const { ending, durationSeconds } = outcome;
      cells.push({ startedAt, ending, durationSeconds });
      if (cells.length > mostCells) cells.shift();
      if (ending === 'kept') return;
      failures.push(run);
      if (failures.length > mostFailures) failures.shift();
    },
    cells: () => cells,
    failures: () => failures,
  };
}
