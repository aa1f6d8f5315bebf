import { collectDefaultMetrics, Registry } from 'prom-client';

/** prom-client names these gauges like counters, which `promtool check metrics` reports as an error. */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** These need a timer every 10 ms, most of the cost of an idle monitor. The lag of the schedule shows the same. */
const costly = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'].map(
  (what) => `nodejs_eventloop_lag_${what}_seconds`,
);

/** A separate registry, so that no other library's metrics get in. */
export function registryOfTheProcess(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const name of [...misnamed, ...costly]) registry.removeSingleMetric(name);
  return registry;
}
