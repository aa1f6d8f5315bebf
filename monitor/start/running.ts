import { type AlertSender, alertSender } from '../alertmanager.ts';
import type { AlertReceiver } from '../config/notify.ts';
import { Metrics } from '../metrics/metrics.ts';
import { realTime } from '../schedule/time.ts';
import { openStateStore } from '../state/state.ts';
import { Watch, type WatchOptions } from '../watch/watch.ts';
import type { Served } from '../web/routes.ts';

export interface MonitorOptions extends Omit<WatchOptions, 'state' | 'metrics'> {
  readonly notify: readonly AlertReceiver[];
}

/** The parts of a monitor without its server: what is watched, stored, exported and posted as alerts. */
export interface Monitor {
  readonly served: Pick<Served, 'status' | 'brief' | 'onChange' | 'metrics'>;
  readonly watch: Watch;
  readonly metrics: Metrics;
  readonly alerts: AlertSender;
  start(): void;
  /** Ends the runs. @returns whether all ended within that time */
  drain(withinMs: number): Promise<boolean>;
  /** Closes the state. */
  close(): void;
}

/** Opens the state; nothing runs before `start`. @param file the path of the state file @throws StateOpenError */
export function openMonitor(options: MonitorOptions, file: string): Monitor {
  const { log, time = realTime, notify } = options;
  const metrics = new Metrics(options);
  const state = openStateStore(file);
  const watch = new Watch({ ...options, metrics, state });
  const alerts = alertSender({ log, time, known: watch.known });
  return {
    served: {
      status: (only) => watch.status(only),
      brief: () => watch.brief(),
      onChange: (listener) => watch.onChange(listener),
      metrics,
    },
    watch,
    metrics,
    alerts,
    start() {
      watch.start();
      alerts.sendTo(notify);
    },
    drain(withinMs) {
      alerts.stop();
      return watch.drain(withinMs);
    },
    close: () => void state.close(),
  };
}
