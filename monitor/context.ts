import type { exchange } from '../contract/http/exchange.ts';
import type { Probe } from '../contract/probe.ts';
import type { Log } from './log.ts';
import type { Vigil } from './loop/suspend-detector.ts';
import type { Time } from './loop/time.ts';
import type { Store } from './store/store.ts';

/** Shared by all targets. */
export interface MonitorContext {
  /** All probes: the monitor picks those that it can run. */
  readonly probes: readonly Probe[];
  readonly log: Log;
  readonly store: Store;
  readonly time: Time;
  readonly vigil: Vigil;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
  /** Called with the number of ticks of a target that came while its round was running. */
  readonly onMissed: (ticks: number) => void;
}
