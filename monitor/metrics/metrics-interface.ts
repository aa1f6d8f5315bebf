import type { MustId, OpenId } from '../../contract/clauses.ts';
import type { Cause } from '../schedule/schedule.ts';
import type { KnownVerdict, TargetState } from '../target/contract-status.ts';
import type { Run } from '../target/run.ts';
import type { Share } from '../target/shard.ts';
import type { CanaryPhase, CanaryState, CanaryVerdict, Lifetime } from '../token-age/verdict.ts';
import type { NotificationGauges, ReceiverKind } from './notification-gauges.ts';
import type { FleetFigures, StateFile } from './own.ts';
import type { Expected } from './record.ts';

/** A run, in short. */
export interface LatestRun {
  readonly probe: string;
  /** Milliseconds since 1970. */
  readonly ranAt: number;
  readonly success: boolean;
}

/**
 * All that the monitor exports. Labels are names of targets and probes, and closed enumerations: no address, no
 * text. Records of a target that is not expected are dropped: a run may outlive its target.
 */
export interface Metrics {
  /**
   * Creates the series of a target before any event, so that `increase()` sees the first event too. A second call
   * keeps the counters of the remaining probes.
   */
  expect(target: string, probes: readonly string[], expected: Expected): void;
  /** @param success whether the latest run of the probe on each of its endpoints was a success */
  ran(run: Run, success: boolean): void;
  /** @param lastKeptAt milliseconds since 1970 */
  streak(target: string, probe: string, consecutiveFailures: number, lastKeptAt?: number): void;
  verdicts(target: string, verdicts: readonly KnownVerdict[]): void;
  /** A run found a clause violated. */
  violated(target: string, clause: MustId): void;
  observationChanged(target: string, fact: OpenId): void;
  unexpectedRejection(target: string): void;
  /** How far the provider's clock is ahead of ours. */
  clockOffset(target: string, seconds: number): void;
  /** The provider's processing time of one answered request. */
  processed(target: string, seconds: number): void;
  canaryChecked(target: string, phase: CanaryPhase, verdict: CanaryVerdict): void;
  /** How many canaries are in each state. */
  canaries(target: string, counts: Readonly<Record<CanaryState, number>>): void;
  lifetime(target: string, bounds: Lifetime): void;
  maintained(target: string, inMaintenance: boolean): void;
  missed(cause: Cause, count: number): void;
  began(lagSeconds: number): void;
  /** The targets file was read, at the start or later. @param atMs milliseconds since 1970 */
  reloaded(succeeded: boolean, atMs: number): void;
  /** Whether the monitor's own certificate is usable; called only if it has one. */
  certificate(isUsable: boolean): void;
  /** Reports the targets of the file that are watched here from now on. */
  shares(share: Share): void;
  state(now: StateFile): void;
  /** How many targets are in which state. */
  states(counts: Readonly<Record<TargetState, number>>): void;
  /** Restores the earlier counters of a target. @param figures the result of `figures`, as parsed JSON */
  restore(target: string, figures: unknown): void;
  /** All metrics of a target in JSON, if they changed since the last call. */
  figures(target: string): string | undefined;
  /** The latest run on a target. */
  latest(target: string): LatestRun | undefined;
  /** The state of the fleet, if there is one. */
  fleet(now: FleetFigures): void;
  /** When the first certificate of a target ends, as of its last handshake: milliseconds since 1970. */
  certificateExpiry(target: string): number | undefined;
  /** A notification was delivered, or an attempt failed. */
  notified(receiver: ReceiverKind, ended: 'delivered' | 'failed'): void;
  notifications(now: NotificationGauges): void;
  /** Drops all series of a target. */
  forget(target: string): void;
  /**
   * The text that Prometheus scrapes: the monitor's own metrics, and those of all targets unless they are too
   * many.
   */
  text(): Promise<string>;
  /** The series of one target, or of one of its probes; undefined for an unknown name. */
  of(target: string, probe?: string): Promise<string> | undefined;
  /** How many series the targets may have in all. */
  series(): number;
  /** Whether `text` omits the targets, because they have too many series. */
  crowded(): boolean;
  readonly contentType: string;
}

/** What Prometheus reads of a monitor. */
export interface ExportedMetrics extends Pick<Metrics, 'text' | 'contentType'> {
  /** The series of one target, or of one of its probes; undefined for an unknown name. */
  of(target: string, probe?: string): Promise<string | undefined> | undefined;
}
