import type { NotifyConfig } from '../config/notify.ts';
import { Metrics } from '../metrics/metrics.ts';
import { Notifier } from '../notify/notifier.ts';
import { realTime } from '../schedule/time.ts';
import { openStateStore } from '../state/state.ts';
import { Watch, type WatchOptions } from '../watch/watch.ts';
import type { Served } from '../web/routes.ts';

export interface MonitorOptions extends Omit<WatchOptions, 'state' | 'metrics'> {
  readonly notify: NotifyConfig | undefined;
}

/** The parts of a monitor without its server: what is watched, stored, exported and notified. */
export interface Monitor {
  readonly served: Pick<Served, 'status' | 'brief' | 'onChange' | 'metrics'>;
  readonly watch: Watch;
  readonly metrics: Metrics;
  readonly notifier: Notifier;
  /** @param page where the monitor listens */
  start(page: URL): void;
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
  const notifier = new Notifier({ metrics, state, log, time, known: () => watch.known() }, notify);
  return {
    served: {
      status: (only) => ({ ...watch.status(only), notifications: notifier.status() }),
      brief: () => watch.brief(),
      onChange: (listener) => watch.onChange(listener),
      metrics,
    },
    watch,
    metrics,
    notifier,
    start({ host }) {
      watch.start();
      notifier.start(host);
    },
    async drain(withinMs) {
      const [drained] = await Promise.all([watch.drain(withinMs), notifier.stop()]);
      return drained;
    },
    close: () => void state.close(),
  };
}
