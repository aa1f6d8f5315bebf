/**
 * Why an instant passed without a run. `overlap`: the previous run was still in progress, or waited for a place.
 * `suspended`: the process was suspended until a later instant, or during the run, which was discarded. `draining`:
 * the monitor was stopping.
 */
export const causes = ['overlap', 'suspended', 'draining'] as const;
export type Cause = (typeof causes)[number];

/** How the schedule accounts for its instants: `expected = run + missed + skipped`, always. */
export interface Tally {
  /** Past instants whose result is decided. */
  readonly expected: number;
  readonly run: number;
  /** By overlap or suspension. */
  readonly missed: number;
  /** By draining. */
  readonly skipped: number;
  /** Past instants that wait for a free place: at most one for each slot. */
  readonly waiting: number;
  readonly because: Readonly<Record<Cause, number>>;
}
