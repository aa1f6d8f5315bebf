import type { FleetFigures } from '../metrics/own.ts';
import type { Time } from '../schedule/time.ts';
import type { StateOpenError } from '../state/opening.ts';
import type { FleetDatabase, Member } from './database.ts';
import type { FleetState } from './fleet-state.ts';

/** Who watches the targets that this member holds. */
interface Watcher {
  /** From now on just these are watched. */
  watchOnly(targets: ReadonlySet<string>): void;
  isIdle(target: string): boolean;
  /** Writes down how old the canaries are by now. */
  touch(): void;
}

export interface FleetContext {
  readonly database: FleetDatabase;
  readonly member: Member;
  readonly state: FleetState;
  readonly watcher: Watcher;
  readonly time: Time;
  readonly log: { note(line: string): void };
  readonly metrics: { fleet(now: FleetFigures): void };
  /** The database refuses this monitor, and this monitor has never been let in. */
  readonly onRefused: (error: StateOpenError) => void;
}
