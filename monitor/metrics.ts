import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Phases } from '../contract/answer.ts';
import { mustHold } from '../contract/clauses.ts';
import { failureReasons, type Run } from './run.ts';
import { type Cause, causes } from './schedule.ts';
import type { StandingVerdict } from './standing.ts';

/**
 * All that the monitor exports. Labels are names of targets and probes, and closed enumerations: no address, no text.
 */
export interface Metrics {
  /** Makes the series of a target before anything has happened, so that `increase()` sees the first event too. */
  expect(target: string, probes: readonly string[]): void;
  /** @param success whether the latest run of the probe on each of its endpoints was a success */
  ran(run: Run, success: boolean): void;
  verdicts(target: string, verdicts: readonly StandingVerdict[]): void;
  missed(cause: Cause, count: number): void;
  began(lagSeconds: number): void;
  /** The text that Prometheus scrapes. */
  text(): Promise<string>;
  readonly contentType: string;
}

const endings = [
  'kept',
  'broken',
  'unreachable',
  'defect',
] as const satisfies Run['outcome']['ending'][];
const verdictNames = [
  'holds',
  'violated',
  'unverified',
] as const satisfies StandingVerdict['verdict'][];

/** Gauges that prom-client names like counters: `promtool check metrics` is right to object. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** A registry of its own, so that nothing of another library's slips in. */
export function metricsOf({ version }: { readonly version: string }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const { gauge, counter, histogram } = makers(registry);

  const success = gauge('probe_success', 'Whether the last run on every endpoint broke nothing', [
    'target',
    'probe',
  ]);
  const duration = gauge('probe_duration_seconds', 'How long the last run took', [
    'target',
    'probe',
  ]);
  const phase = gauge(
    'probe_http_duration_seconds',
    'How long each phase of its requests took in the last run that was answered, in sum',
    ['target', 'probe', 'phase'],
  );
  const lastRun = gauge('monitor_last_run_timestamp_seconds', 'When the last run began', [
    'target',
    'probe',
  ]);
  const runs = counter('monitor_runs_total', 'Runs by how they ended', [
    'target',
    'probe',
    'outcome',
  ]);
  const failures = counter('monitor_failures_total', 'Runs that were no success, by reason', [
    'target',
    'probe',
    'reason',
  ]);
  const verdict = gauge(
    'contract_clause_verdict',
    'What is known of a clause by the latest runs: 1 for the verdict that it has',
    ['target', 'clause', 'verdict'],
  );
  const missed = counter(
    'monitor_runs_missed_total',
    'Runs that were due and never began, by cause',
    ['cause'],
  );
  const lag = histogram(
    'monitor_schedule_lag_seconds',
    'How long after it was due a run began',
    [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  );
  const build = gauge('monitor_build_info', 'The monitor that runs, always 1', [
    'version',
    'node_version',
  ]);
  build({ version, node_version: process.version }, 1);
  for (const cause of causes) missed({ cause }, 0);

  return {
    expect(target, probes) {
      for (const probe of probes) {
        for (const outcome of endings) runs({ target, probe, outcome }, 0);
        for (const reason of failureReasons) failures({ target, probe, reason }, 0);
      }
      for (const { id } of mustHold)
        for (const name of verdictNames)
          verdict({ target, clause: id, verdict: name }, name === 'unverified' ? 1 : 0);
    },
    ran({ target, startedAt, outcome, reason, phases }, succeeded) {
      const labels = { target, probe: outcome.probe.name };
      success(labels, succeeded ? 1 : 0);
      duration(labels, outcome.durationSeconds);
      lastRun(labels, startedAt / 1000);
      runs({ ...labels, outcome: outcome.ending }, 1);
      if (reason !== undefined) failures({ ...labels, reason }, 1);
      for (const [name, seconds] of entries(phases)) phase({ ...labels, phase: name }, seconds);
    },
    verdicts(target, standing) {
      for (const { clause, verdict: now } of standing)
        for (const name of verdictNames)
          verdict({ target, clause: clause.id, verdict: name }, name === now ? 1 : 0);
    },
    missed: (cause, count) => missed({ cause }, count),
    began: (seconds) => lag(seconds),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

const entries = (phases: Phases | undefined): [string, number][] => Object.entries(phases ?? {});

/** prom-client takes a missing label for another series; here it does not compile. */
function makers(registry: Registry) {
  const registers = [registry];
  type Set<Label extends string> = (labels: Readonly<Record<Label, string>>, value: number) => void;
  return {
    gauge<const Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
    ): Set<Label> {
      const metric = new Gauge<string>({ name, help, labelNames, registers });
      return (labels, value) => metric.set(labels, value);
    },
    counter<const Label extends string>(
      name: string,
      help: string,
      labelNames: readonly Label[],
    ): Set<Label> {
      const metric = new Counter<string>({ name, help, labelNames, registers });
      return (labels, value) => metric.inc(labels, value);
    },
    histogram(name: string, help: string, buckets: number[]): (value: number) => void {
      const metric = new Histogram({ name, help, buckets, registers });
      return (value) => metric.observe(value);
    },
  };
}
