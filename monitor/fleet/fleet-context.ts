import type { FleetFigures } from '../metrics/own.ts';
import type { Time } from '../schedule/time.ts';
import type { StateOpenError } from '../state/opening.ts';
import type { FleetDatabase, Member } from './database.ts';
import type { FleetState } from './fleet-state.ts';

/** Watches the targets that this member holds. */
interface Watcher {
  /** From now on exactly these targets are watched. */
  watchOnly(targets: ReadonlySet<string>): void;
  isIdle(target: string): boolean;
  /** Stores the current age of the canaries. */
  touch(): void;
}

export interface FleetContext {
  readonly database: FleetDatabase;
  readonly member: Member;
  readonly state: FleetState;
  readonly watcher: Watcher;
  readonly time: Time;
  readonly log: { note(line: string): void; recovered(line: string): void };
  readonly metrics: { fleet(now: FleetFigures): void };
  /** Called when the database refuses this monitor, and has never admitted it. */
  readonly onRefused: (error: StateOpenError) => void;
}
