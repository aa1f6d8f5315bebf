import type { NotifyConfig } from '../../monitor/config/notify.ts';
import { Notifier } from '../../monitor/notify/notifier.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import type { WatchedTarget } from '../../monitor/target/watched-target.ts';
import { aRequestWithoutATokenIsRefused as refused } from '../../probes/a-request-without-a-token-is-refused.ts';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { quiet, watching } from '../monitor/in-memory.ts';
import { configOf, receivers } from './receivers.ts';

export const second = 1_000;
export const minute = 60 * second;
export const admitted = 'ContractMonitorUnauthorisedRequestAdmitted BEARER-2';
export const unreachable = 'ContractMonitorProviderUnreachable';

/** A monitor that watches one provider in memory, and notifies receivers in memory, in simulated time. */
export function stage({
  state = openStateStore(':memory:'),
  config = configOf() as NotifyConfig | 'none',
  change = {} as Partial<WatchedTarget>,
} = {}) {
  const { time, provider, target } = quiet();
  const inbox = receivers();
  const logged: string[] = [];
  let store = state;
  let changed = change;

  /** Starts watching, like a process. */
  function start() {
    const targets = [{ ...target, ...changed }];
    const watch = watching([refused, opens], { time, provider, state: store, targets });
    const log = {
      note: (line: string) => void logged.push(`warn ${line}`),
      recovered: (line: string) => void logged.push(`info ${line}`),
    };
    const notifier = new Notifier(
      {
        log,
        time,
        state: store,
        metrics: watch.metrics,
        exchange: inbox.exchange,
        known: () => watch.known(),
      },
      config === 'none' ? undefined : config,
    );
    notifier.start('monitor.test:9797');
    return { watch, notifier };
  }

  const stage = {
    time,
    provider,
    inbox,
    logged,
    ...start(),
    /** Ends the process, and starts another with the same state, or with another state or target. */
    restart(next = store, otherwise = changed) {
      time.kill();
      store = next;
      changed = otherwise;
      Object.assign(stage, start());
    },
    /** Sets whether requests without a token are admitted from now on. */
    admit(is: boolean) {
      provider.answer = (line, token) =>
        is && token === undefined && line.startsWith('GET') ? {} : undefined;
    },
  };
  return stage;
}
