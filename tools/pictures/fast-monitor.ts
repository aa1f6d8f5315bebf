import type { Secret } from '../../contract/secrets/secret.ts';
import { logTo } from '../../monitor/log.ts';
import { monitorMetrics } from '../../monitor/metrics/metrics.ts';
import type { MonitorView } from '../../monitor/status/view.ts';
import { openStore } from '../../monitor/store/store.ts';
import { targetInside } from '../../monitor/targets.ts';
import { Watch } from '../../monitor/watch.ts';
import { listen } from '../../monitor/web/server.ts';
import { probes } from '../../probes/index.ts';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../../sandbox/provider.ts';
import { fastTime } from './fast-time.ts';

/** A day takes ten seconds. */
export const speed = 8640;

const timeoutMs = 5_000;

/** A monitor on a fast clock. */
interface FastMonitor extends AsyncDisposable {
  readonly page: URL;
}

/** Starts a monitor of `sandbox`, which behaves like this, on one clock, on which a day takes ten seconds. */
export async function startFastMonitor(
  behaviour: Behaviour,
  authToken?: Secret,
): Promise<FastMonitor> {
  const time = fastTime(speed);
  const sandbox = await startSandbox({ behaviour: dated(behaviour), time: time.wall });
  const store = openStore(':memory:');
  const watch = new Watch({
    targets: [targetInside(sandbox.baseUrl, sandboxAccount, sandboxEndpoints, { timeoutMs })],
    periodSeconds: 1800,
    log: logTo({ write() {} }, false),
    ...{ probes, store, time },
  });
  const own = {
    targetsInFile: 1,
    reload: { isSuccessful: true, at: time.wall() },
    state: { isWritable: true, failures: 0 },
  };
  const view = (): MonitorView => ({ ...watch.view(), version: 'fast', own });
  const served = { view, metrics: monitorMetrics(view), authToken };
  const listening = await listen(served, { host: '127.0.0.1', port: 0 });
  watch.start();
  return {
    page: listening.page,
    async [Symbol.asyncDispose]() {
      // A run in progress takes real time, so the limit is converted to simulated time.
      await watch.drain(timeoutMs * speed);
      await Promise.all([listening.close(), sandbox.close()]);
      store.close();
    },
  };
}

/** Answers carry simulated time in `Date`: by real time the provider would seem to be days behind. */
const dated = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  finish(reply, call, state) {
    const { headers, ...finished } = behaviour.finish(reply, call, state);
    return { ...finished, headers: { Date: new Date(call.now).toUTCString(), ...headers } };
  },
});
