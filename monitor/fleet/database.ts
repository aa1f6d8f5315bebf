import type { Entry, EventRow, TallyRow } from '../state/pending.ts';

/** A member's right to watch a target. The next holder of the same target gets a greater fencing number. */
export interface Lease {
  readonly target: string;
  readonly fence: number;
}

/** A monitor of the fleet, as the others see it. */
export interface Member {
  /** Unique among all processes. */
  readonly id: string;
  /** The address under which other members, users and Prometheus reach it: `host:port`. */
  readonly authority: string;
  readonly version: string;
}

/** A member as the database stores it. */
export interface MemberRow extends Member {
  /** It grows with each heartbeat. */
  readonly beat: number;
  /** Milliseconds since 1970, by the database's clock. */
  readonly startedAt: number;
}

/** A heartbeat, and the changes that it requests. */
export interface Beat {
  readonly member: Member;
  /** How long the member counts as alive after this, by the database's clock. */
  readonly leaseMs: number;
  /** Targets that this member no longer watches, and whose changes are all written. */
  readonly release: readonly Lease[];
  /** Members without a heartbeat. They lose their targets if their lease has also ended by the database's clock. */
  readonly dead: readonly string[];
  /** How many free targets this member can take. */
  readonly take: number;
  /** The targets in its file; needed only when it can take some. */
  readonly names: readonly string[];
  /** The member leaves, and releases all its targets. */
  readonly leaves: boolean;
}

/** The database's answer to a heartbeat. */
export interface Pulse {
  readonly members: readonly MemberRow[];
  /** All targets of this member. */
  readonly held: readonly Lease[];
}

/** Everything stored about a target. */
export interface TargetRows {
  readonly entries: readonly Omit<Entry, 'target'>[];
  /** The latest events, oldest first. */
  readonly events: readonly Omit<EventRow, 'target'>[];
  readonly tallies: readonly Omit<TallyRow, 'target'>[];
}

/** The changes of a target since the last batch. */
export interface Batch extends Lease, TargetRows {
  /** Counts from 1 under each fencing number, so that a batch that arrives twice is written once. */
  readonly number: number;
  /** What every member's page shows about the target, as JSON. */
  readonly summary: string | undefined;
}

/** A target, for the pages of all members. */
export interface LeaseRow {
  readonly target: string;
  /** The id of a member; undefined while no member holds the target. */
  readonly holder: string | undefined;
  readonly summary: string | undefined;
}

/** The database is not available now, but may be later. The message is one line without any value. */
export class DatabaseGone extends Error {}

/**
 * The state that a fleet shares. Every call ends within seconds, with a result or an error. Each throws
 * DatabaseGone, or StateOpenError when the database refuses this monitor.
 */
export interface FleetDatabase {
  /** Applies a heartbeat atomically, one member at a time. */
  beat(beat: Beat): Promise<Pulse>;
  load(targets: readonly string[]): Promise<ReadonlyMap<string, TargetRows>>;
  /** Writes the batches atomically, except those of targets that another member has taken. @returns those targets */
  write(batches: readonly Batch[]): Promise<readonly string[]>;
  targets(): Promise<readonly LeaseRow[]>;
  entry(target: string, kind: string, key: string): Promise<string | undefined>;
  /** Deletes outdated rows. @param now milliseconds since 1970 */
  tidy(now: number): Promise<void>;
  /** @param listener called when targets become free, and when members join or leave */
  onNotice(listener: () => void): void;
  close(): Promise<void>;
}
