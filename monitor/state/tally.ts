import type { PublishedOutcome } from '../../contract/round/outcome.ts';

/** The outcomes of the runs that began in an hour (UTC). */
export interface HourTally extends Readonly<Record<PublishedOutcome, number>> {
  /** Milliseconds since 1970. */
  readonly from: number;
}

const hour = 3_600_000;

/** How long hours are kept, in milliseconds. */
export const keptHoursMs = 48 * hour;

/** When the hour of an instant began. */
export const beginningOf = (at: number): number => Math.floor(at / hour) * hour;

export const oneRun = (from: number, outcome: PublishedOutcome): HourTally => ({
  from,
  kept: 0,
  broken: 0,
  unreachable: 0,
  defect: 0,
  [outcome]: 1,
});

export const added = (one: HourTally | undefined, other: HourTally): HourTally =>
  one === undefined
    ? other
    : {
        from: other.from,
        kept: one.kept + other.kept,
        broken: one.broken + other.broken,
        unreachable: one.unreachable + other.unreachable,
        defect: one.defect + other.defect,
      };
