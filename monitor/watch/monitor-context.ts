import type { exchange } from '../../contract/http/exchange.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Vigil } from '../schedule/suspend-detector.ts';
import type { Time } from '../schedule/time.ts';
import type { StateStore } from '../state/state.ts';
import type { CanarySlot, ProbeSlot } from '../target/plan.ts';
import type { Log } from './log.ts';
import type { RetentionClock } from './retention-clock.ts';

export type MonitorSlot = ProbeSlot | CanarySlot;

/** Shared by all targets. */
export interface MonitorContext {
  /** All probes: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  readonly metrics: Metrics;
  readonly log: Log;
  readonly state: StateStore;
  readonly time: Time;
  readonly retention: Pick<RetentionClock, 'now' | 'save'>;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
  /** Called when a further slot must run. */
  readonly plan: (slot: MonitorSlot) => void;
  /** Called when the process was suspended during the current run, which therefore proves nothing. */
  readonly discard: (slot: MonitorSlot) => void;
  readonly vigil: Vigil;
}
