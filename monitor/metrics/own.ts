import { headline } from '../status/status.ts';
import type { MonitorView } from '../status/view.ts';
import { metricsOf } from './metric.ts';

/** The monitor itself, and all its targets together. */
export const ownMetrics = metricsOf<MonitorView>({
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
