import { endpointName } from '../../contract/http/request.ts';
import type { TokenStatus } from '../canary/keeper.ts';
import type { WatchedTarget, Window } from '../round/watched-target.ts';
import type { Status } from './status.ts';

/** A target as page, metrics and alerts show it: what is known of it, and what is configured. Without secrets. */
export interface TargetView {
  readonly status: Status;
  /** Absent where canaries are off. */
  readonly token?: TokenStatus | undefined;
  readonly endpoints: readonly { readonly name: string; readonly hasSchema: boolean }[];
  readonly periodSeconds: number;
  /** How often it runs at the present pace, if that is longer: the provider limits requests, or there are many endpoints. */
  readonly stretchedToSeconds?: number;
  readonly maintenance?: Window;
  readonly labels?: Readonly<Record<string, string>>;
  readonly objectiveRatio: number;
}

/** A target as it is configured, and what is known of it. */
export const createTargetView = (
  { endpoints, labels, objectiveRatio, periodSeconds }: WatchedTarget,
  status: Status,
  usualSeconds: number,
): TargetView => ({
  status,
  endpoints: endpoints.map((endpoint) => ({
    name: endpointName(endpoint),
    hasSchema: endpoint.unfit !== undefined,
  })),
  periodSeconds: periodSeconds ?? usualSeconds,
  labels,
  objectiveRatio: objectiveRatio ?? 0.995,
});

/** The monitor and its targets. Instants are milliseconds since 1970. */
export interface MonitorView {
  readonly version: string;
  readonly startedAt: number;
  readonly now: number;
  readonly draining: boolean;
  /** Ticks of targets that came while a round was running, or while the machine slept: since the start. */
  readonly missedTicks: number;
  /** Why the last reload of the targets failed: the first line, without secrets. */
  readonly reloadProblem?: string;
  /** What the monitor knows of itself. */
  readonly own: {
    /** Of all shards. */
    readonly targetsInFile: number;
    readonly loadedAt: number;
    /** How often a write of the state file failed, and whether the last one did. */
    readonly failedWrites: number;
    readonly isStateWritable: boolean;
  };
  readonly targets: readonly TargetView[];
}
