import type { PublishedOutcome } from '../../contract/round/outcome.ts';

/** The outcomes of the runs that began in an hour or a day (UTC). */
export interface RunTally extends Readonly<Record<PublishedOutcome, number>> {
  /** Milliseconds since 1970. */
  readonly from: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** How long something is remembered, in milliseconds. */
export const retention = { events: 30 * day, hour: 30 * day, day: 366 * day } as const;

const spans = { hour, day } as const;
export type Span = keyof typeof spans;

/** When the hour or the day of an instant began. */
export const beginningOf = (span: Span, at: number): number =>
  Math.floor(at / spans[span]) * spans[span];

export const oneRun = (from: number, outcome: PublishedOutcome): RunTally => ({
  from,
  kept: 0,
  broken: 0,
  unreachable: 0,
  defect: 0,
  [outcome]: 1,
});

export const added = (one: RunTally | undefined, other: RunTally): RunTally =>
  one === undefined
    ? other
    : {
        from: other.from,
        kept: one.kept + other.kept,
        broken: one.broken + other.broken,
        unreachable: one.unreachable + other.unreachable,
        defect: one.defect + other.defect,
      };
