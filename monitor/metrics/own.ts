import { type Outcome, publishedOutcome, publishedOutcomes } from '../../contract/round/outcome.ts';
import { fingerprint, type Share } from '../shard.ts';
import { headline, type TargetState } from '../target/contract-status.ts';
import type { MetricDescription } from './family.ts';
import { ProcessMetrics } from './process-metrics.ts';

export interface StateFile {
  readonly writable: boolean;
  /** Since the start. */
  readonly failures: number;
}

/** The metrics of the monitor itself, and of all its targets together. */
export class MonitorFigures {
  readonly #make = new ProcessMetrics();
  readonly #build = this.#make.info(
    'monitor_build_info',
    'Version of the running monitor, always 1',
    ['version', 'node_version'],
  );
  readonly #shard = this.#make.info(
    'monitor_shard_info',
    'Shard of the targets file that this monitor watches, always 1',
    ['shard', 'of', 'names_hash'],
  );
  readonly #named = this.#make.gauge(
    'monitor_config_targets',
    'Targets in the targets file, of all shards',
  );
  readonly #targets = this.#make.gauge('monitor_targets', 'Targets by state', ['state']);
  readonly #runs = this.#make.counter('monitor_all_runs_total', 'Runs on all targets by outcome', [
    'outcome',
  ]);
  readonly #missed = this.#make.counter(
    'monitor_ticks_missed_total',
    'Ticks of targets that came while a round was running, or while the machine slept',
  );
  #missedTicks = 0;
  readonly #reloadSucceeded = this.#make.gauge(
    'monitor_config_last_reload_successful',
    'Whether the last load of the targets file succeeded',
  );
  readonly #reloadedAt = this.#make.gauge(
    'monitor_config_last_reload_success_timestamp_seconds',
    'Unix time at which the targets file was last loaded',
  );
  readonly #certificate = this.#make.gauge(
    'monitor_tls_last_reload_successful',
    "Whether the monitor's own certificate and key could be used when they were last read",
  );
  readonly #writable = this.#make.gauge(
    'monitor_state_writable',
    'Whether the last write of the state succeeded',
  );
  readonly #failures = this.#make.counter(
    'monitor_state_failures_total',
    'Failed writes of the state',
  );
  #failed = 0;

  /** @param version the monitor's */
  constructor(version: string) {
    this.#build({ version, node_version: process.version });
    for (const state of Object.keys(headline)) this.#targets({ state }, 0);
    for (const outcome of publishedOutcomes) this.#runs({ outcome }, 0);
    this.#missed({}, 0);
  }

  /** The monitor's own metrics, without those of Node and of the process. */
  get descriptions(): readonly MetricDescription[] {
    return this.#make.descriptions;
  }

  get contentType(): string {
    return this.#make.registry.contentType;
  }

  protected ended(outcome: Outcome): void {
    this.#runs({ outcome: publishedOutcome(outcome) }, 1);
  }

  missed(ticks: number): void {
    this.#missedTicks += ticks;
    this.#missed({}, ticks);
  }

  missedTicks(): number {
    return this.#missedTicks;
  }

  /** The targets file was read, at the start or later. @param atMs milliseconds since 1970 */
  reloaded(succeeded: boolean, atMs: number): void {
    this.#reloadSucceeded({}, succeeded ? 1 : 0);
    if (succeeded) this.#reloadedAt({}, atMs / 1000);
  }

  /** Whether the monitor's own certificate is usable; called only if it has one. */
  certificate(isUsable: boolean): void {
    this.#certificate({}, isUsable ? 1 : 0);
  }

  /** Reports the targets of the file that are watched here from now on. */
  shares({ shard: { number, of }, names }: Share): void {
    this.#shard({ shard: `${number}`, of: `${of}`, names_hash: fingerprint(names) });
    this.#named({}, names.length);
  }

  state({ writable, failures }: StateFile): void {
    this.#writable({}, writable ? 1 : 0);
    this.#failures({}, Math.max(0, failures - this.#failed));
    this.#failed = Math.max(this.#failed, failures);
  }

  states(counts: Readonly<Record<TargetState, number>>): void {
    for (const [state, count] of Object.entries(counts)) this.#targets({ state }, count);
  }

  text(): Promise<string> {
    return this.#make.registry.metrics();
  }
}
