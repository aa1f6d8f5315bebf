import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Ending, endings } from '../../contract/round/attempt.ts';
import { fingerprint, type Share } from '../config/shard.ts';
import { type Cause, causes } from '../schedule/schedule.ts';
import { headline, type TargetState } from '../target/contract-status.ts';
import type { MetricDescription } from './family.ts';

/** What the monitor tells of itself, and of all its targets together. */
export interface Own {
  ended(ending: Ending): void;
  missed(cause: Cause, count: number): void;
  began(lagSeconds: number): void;
  reloaded(succeeded: boolean, atMs: number): void;
  shares(share: Share): void;
  state(now: StateFile): void;
  states(counts: Readonly<Record<TargetState, number>>): void;
  /** How many targets `/metrics` leaves out, because all of them have too many series. */
  omitted(targets: number): void;
  text(): Promise<string>;
  /** Of its metrics, without those of Node and of the process. */
  readonly descriptions: readonly MetricDescription[];
  readonly contentType: string;
}

/** How the file is that the monitor keeps its state in. */
export interface StateFile {
  readonly writable: boolean;
  /** Since the start. */
  readonly failures: number;
}

/** Gauges that prom-client names like counters: `promtool check metrics` is right to object. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** They take a timer every 10 ms, most of what an idle monitor costs; the schedule's own lag tells as much. */
const costly = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (what) => `nodejs_eventloop_lag_${what}_seconds`,
);

/** @param version the monitor's */
export function ownMetrics(version: string): Own {
  // A registry of its own, so that nothing of another library's slips in.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const name of [...misnamed, ...costly]) registry.removeSingleMetric(name);
  const { provider, info, counter, histogram, descriptions } = makers(registry);

  const build = info('monitor_build_info', 'Version of the running monitor, always 1', [
    'version',
    'node_version',
  ]);
  const shardInfo = info(
    'monitor_shard_info',
    'Shard of the targets file that this monitor watches, always 1',
    ['shard', 'of', 'names_hash'],
  );
  const named = provider(
    'monitor_config_targets',
    'Targets in the targets file, of all shards',
    [],
  );
  const omitted = provider(
    'monitor_metrics_targets_omitted',
    'Targets that /metrics leaves out because all of them have too many series: scrape /sd instead',
    [],
  );
  const targets = provider('monitor_targets', 'Targets by state', ['state']);
  const runs = counter('monitor_all_runs_total', 'Runs on all targets by outcome', ['outcome']);
  const missed = counter(
    'monitor_runs_missed_total',
    'Runs that were due and never began, or were discarded because the monitor was suspended',
    ['cause'],
  );
  const lag = histogram(
    'monitor_schedule_lag_seconds',
    'Delay between the due time and the start of a run',
    [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  );
  const reloadSucceeded = provider(
    'monitor_config_last_reload_successful',
    'Whether the last load of the targets file succeeded',
    [],
  );
  const reloadedAt = provider(
    'monitor_config_last_reload_success_timestamp_seconds',
    'Unix time at which the targets file was last loaded',
    [],
  );
  const writable = provider(
    'monitor_state_writable',
    'Whether the last write of the state succeeded',
    [],
  );
  const failures = counter('monitor_state_failures_total', 'Failed writes of the state', []);
  let failed = 0;

  build({ version, node_version: process.version });
  for (const state of Object.keys(headline)) targets({ state }, 0);
  for (const outcome of endings) runs({ outcome }, 0);
  for (const cause of causes) missed({ cause }, 0);

  return {
    ended: (outcome) => runs({ outcome }, 1),
    missed: (cause, count) => missed({ cause }, count),
    began: lag,
    reloaded(succeeded, atMs) {
      reloadSucceeded({}, succeeded ? 1 : 0);
      if (succeeded) reloadedAt({}, atMs / 1000);
    },
    shares({ shard: { number, of }, names }) {
      shardInfo({ shard: `${number}`, of: `${of}`, names_hash: fingerprint(names) });
      named({}, names.length);
    },
    state(now) {
      writable({}, now.writable ? 1 : 0);
      failures({}, Math.max(0, now.failures - failed));
      failed = Math.max(failed, now.failures);
    },
    states(counts) {
      for (const [state, count] of Object.entries(counts)) targets({ state }, count);
    },
    omitted: (count) => omitted({}, count),
    text: () => registry.metrics(),
    descriptions,
    contentType: registry.contentType,
  };
}

type Change<Label extends string> = (labels: Readonly<Record<Label, string>>, by: number) => void;

/** prom-client takes a missing label for another series; here it does not compile. */
function makers(registry: Registry) {
  const registers = [registry];
  const descriptions: MetricDescription[] = [];
  return {
    descriptions,
    provider<const Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
    ): Change<Label> {
      const metric = new Gauge<string>({ name, help, labelNames, registers });
      descriptions.push({ type: 'gauge', name, help, labels: labelNames });
      // One without labels would be 0 before anything is known.
      metric.remove({});
      return (labels, value) => metric.set(labels, value);
    },
    /** One series, whose labels tell what is so: told again, it is another. */
    info<const Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
    ): (labels: Readonly<Record<Label, string>>) => void {
      const metric = new Gauge<string>({ name, help, labelNames, registers });
      descriptions.push({ type: 'gauge', name, help, labels: labelNames });
      return (labels) => {
        metric.reset();
        metric.set(labels, 1);
      };
    },
    counter<const Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
    ): Change<Label> {
      const metric = new Counter<string>({ name, help, labelNames, registers });
      descriptions.push({ type: 'counter', name, help, labels: labelNames });
      return (labels, value) => metric.inc(labels, value);
    },
    histogram(name: string, help: string, buckets: number[]): (value: number) => void {
      const metric = new Histogram({ name, help, buckets, registers });
      descriptions.push({ type: 'histogram', name, help, labels: [] });
      return (value) => metric.observe(value);
    },
  };
}
