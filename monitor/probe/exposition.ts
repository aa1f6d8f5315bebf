import { Metrics } from '../metrics/metrics.ts';
import type { TargetRound } from './round.ts';

/**
 * The metrics that are omitted. Counters would start at zero in each round. Metrics of the process are useless
 * after its end, and node_exporter uses their names for its own.
 */
const left =
  /^# HELP (probe_(?!http_processing_)\w+|contract_clause_verdict|contract_provider_clock_offset_seconds|monitor_(run_duration_seconds|last_run_timestamp_seconds|consecutive_failures)) /;

/** Rounds in Prometheus' text format, under the names of the monitor's metrics. */
export async function expositionOf(rounds: readonly TargetRound[]): Promise<string> {
  const metrics = new Metrics('');
  for (const { target, runs, clauses } of rounds) {
    const { name } = target;
    const probes = [...new Set(runs.map(({ result }) => result.probe.name))];
    metrics.expect(name, probes, { timeoutSeconds: target.connection.timeoutMs / 1000 });
    for (const run of runs) {
      const own = runs.filter(({ result }) => result.probe.name === run.result.probe.name);
      const failures = own.filter(({ result }) => result.outcome !== 'passed').length;
      metrics.ran(run, failures === 0);
      metrics.streak(name, run.result.probe.name, failures);
      const offset = run.http?.clockOffsetSeconds;
      if (offset !== undefined) metrics.clockOffset(name, offset);
    }
    metrics.verdicts(name, clauses);
  }
  const text = await metrics.text();
  return text
    .split(/^(?=# HELP )/m)
    .filter((family) => left.test(family))
    .join('');
}
