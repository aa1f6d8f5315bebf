import { collectDefaultMetrics, Registry } from 'prom-client';
import { headline } from '../status/status.ts';
import type { MonitorView, TargetView } from '../status/view.ts';
import { defineMetrics, formatMetrics } from './metric.ts';
import { lastRoundMetrics, targetMetrics } from './of-target.ts';

/** The monitor itself, and all its targets together. */
const ownMetrics = defineMetrics<MonitorView>({
  'contract_monitor_build_info{version,node_version}': {
    help: 'Version of the running monitor, always 1',
    read: ({ version }) => [[1, version, process.version]],
  },
  contract_monitor_config_targets: {
    help: 'Targets in the targets file, of all shards',
    read: ({ own }) => [[own.targetsInFile]],
  },
  'contract_monitor_targets{state}': {
    help: 'Targets that this monitor watches, by state',
    read: ({ targets }) =>
      Object.keys(headline).map((state) => [
        targets.filter(({ status }) => status.state === state).length,
        state,
      ]),
  },
  contract_monitor_ticks_missed_total: {
    help: 'Ticks of targets that came while a round was running, or while the machine slept',
    read: ({ missedTicks }) => [[missedTicks]],
  },
  contract_monitor_config_last_reload_successful: {
    help: 'Whether the last load of the targets file succeeded',
    read: ({ reloadProblem }) => [[reloadProblem === undefined]],
  },
  contract_monitor_config_last_reload_success_timestamp_seconds: {
    help: 'Unix time at which the targets file was last loaded',
    read: ({ own }) => [[own.loadedAt / 1000]],
  },
  contract_monitor_state_writable: {
    help: 'Whether the last write of the state succeeded',
    read: ({ own }) => [[own.isStateWritable]],
  },
  contract_monitor_state_failures_total: {
    help: 'Failed writes of the state',
    read: ({ own }) => [[own.failedWrites]],
  },
});

/** Every metric that the monitor exports, besides those of Node and of the process. */
export const metrics = [...lastRoundMetrics, ...targetMetrics, ...ownMetrics];

/** In Prometheus' text format: the monitor with all targets, or one target. */
export type MonitorMetrics = ReturnType<typeof monitorMetrics>;

/** No label has an address or a text of a provider. @param view the present one: it is read at each scrape */
export function monitorMetrics(view: () => MonitorView) {
  // Of its own, so that no other library's metrics get in.
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const { name } of registry.getMetricsAsArray())
    if (unwanted.test(name)) registry.removeSingleMetric(name);
  return {
    contentType: registry.contentType,
    async text() {
      const now = view();
      const ownText = await formatMetrics(ownMetrics, [now], () => []);
      return (await registry.metrics()) + ownText + (await targetsText(now.targets, now.now));
    },
    of: (target: TargetView) => targetsText([target], view().now),
  };
}

/** The gauges of targets after a single round, for a file: counters would begin at zero each time. */
export const roundText = (views: readonly TargetView[], now: number): Promise<string> =>
  targetsText(views, now, gauges);

const gauges = targetMetrics.filter(({ type }) => type === 'gauge');

/** What a round older than three periods has shown is not exported. */
async function targetsText(views: readonly TargetView[], now: number, lasting = targetMetrics) {
  const readName = ({ status }: TargetView): readonly string[] => [status.target];
  const recentViews = views.filter(
    ({ status, periodSeconds, stretchedToSeconds = periodSeconds }) => {
      const { lastRoundAt = status.since } = status;
      return now - lastRoundAt <= 3 * stretchedToSeconds * 1000;
    },
  );
  return (
    (await formatMetrics(lastRoundMetrics, recentViews, readName)) +
    (await formatMetrics(lasting, views, readName))
  );
}

/** Gauges with the name of a counter, and those about the event loop that need a timer every 10 ms. */
const unwanted = /^nodejs_(active_\w+_total|eventloop_lag_(min|max|mean|stddev|p\d+)_seconds)$/;
