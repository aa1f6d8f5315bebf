import type { RunTally, Span } from '../state/tally.ts';

/** That a member watches a target: another holder of the same target has a greater fencing number. */
export interface Lease {
  readonly target: string;
  readonly fence: number;
}

/** A monitor of the fleet, as the others see it. */
export interface Member {
  /** Unlike that of any other process. */
  readonly id: string;
  /** Where the others, people and Prometheus reach it: `host:port`. */
  readonly authority: string;
  readonly version: string;
}

/** A member as the database has it. */
export interface MemberRow extends Member {
  /** It grows with each sign of life. */
  readonly beat: number;
  /** Milliseconds since 1970, by the database's clock. */
  readonly startedAt: number;
}

/** A sign of life, and what is to change with it. */
export interface Beat {
  readonly member: Member;
  /** For how long the member is alive from now on, by the database's clock. */
  readonly leaseMs: number;
  /** Targets that it watches no more; all of which everything is written. */
  readonly release: readonly Lease[];
  /** Members that show no sign of life: those that the database's clock finds ended too lose their targets. */
  readonly dead: readonly string[];
  /** How many free targets it wants. */
  readonly take: number;
  /** The targets of its file, when it wants some. */
  readonly names: readonly string[];
  /** It ends, and gives back all targets. */
  readonly leaves: boolean;
}

/** What the database says to a sign of life. */
export interface Pulse {
  readonly members: readonly MemberRow[];
  /** All targets of this member. */
  readonly held: readonly Lease[];
}

/** An entry of the state as JSON; undefined for one that is taken away. */
interface EntryRow {
  readonly kind: string;
  readonly key: string;
  readonly value: string | undefined;
}

interface TimedEvent {
  readonly at: number;
  readonly event: string;
}

interface SpanTally {
  readonly span: Span;
  readonly tally: RunTally;
}

/** All that is kept of a target. */
export interface TargetRows {
  readonly entries: readonly EntryRow[];
  /** The latest, oldest first. */
  readonly events: readonly TimedEvent[];
  readonly tallies: readonly SpanTally[];
}

/** What has happened to a target since the last batch. */
export interface Batch extends Lease, TargetRows {
  /** From 1 up under one fencing number: a batch that comes twice is written once. */
  readonly number: number;
  /** What the page of any member says of the target, as JSON. */
  readonly summary: string | undefined;
}

/** A target, for the pages of all members. */
export interface LeaseRow {
  readonly target: string;
  /** The id of a member; undefined while it changes hands. */
  readonly holder: string | undefined;
  readonly summary: string | undefined;
}

/** The database cannot be had now; it may be again. Its message is one line without any value. */
export class DatabaseGone extends Error {}

/**
 * What a fleet shares. A call ends within seconds, in whatever way.
 * Each throws DatabaseGone, and StateOpenError when the database refuses this monitor.
 */
export interface FleetDatabase {
  /** All of it at once, and no two members at a time. */
  beat(beat: Beat): Promise<Pulse>;
  load(targets: readonly string[]): Promise<ReadonlyMap<string, TargetRows>>;
  /** Writes all batches at once, but those of targets that another member has taken. @returns those targets */
  write(batches: readonly Batch[]): Promise<readonly string[]>;
  targets(): Promise<readonly LeaseRow[]>;
  /** One entry of any target. */
  entry(target: string, kind: string, key: string): Promise<string | undefined>;
  /** Takes away what is too old to be kept. @param now milliseconds since 1970 */
  tidy(now: number): Promise<void>;
  /** @param listener called when targets have become free, or members have come or gone */
  onNotice(listener: () => void): void;
  close(): Promise<void>;
}
