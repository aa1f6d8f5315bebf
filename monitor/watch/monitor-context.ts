import type { exchange } from '../../contract/http/exchange.ts';
import type { Probe } from '../../contract/probe.ts';
import type { Vigil } from '../loop/suspend-detector.ts';
import type { Time } from '../loop/time.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { StateStore } from '../state/state.ts';
import type { Log } from './log.ts';
import type { RetentionClock } from './retention-clock.ts';

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
  readonly vigil: Vigil;
}
