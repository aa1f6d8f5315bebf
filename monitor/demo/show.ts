import { days } from '../../contract/time/clock.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxAccount, sandboxEndpoints } from '../../sandbox/provider.ts';
import type { Settings } from '../../settings.ts';
import { targetInside } from '../config/targets.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openStateStore, type StateStore } from '../state/state.ts';
import { type Lines, logTo } from '../watch/log.ts';
import { Watch } from '../watch/watch.ts';
import { listen } from '../web/server.ts';
import { fastTime } from './fast-time.ts';
import type { Fault } from './faults.ts';
import { moments, proofs } from './narration.ts';
import { startDemoProvider } from './provider.ts';
import { throttle } from './throttle.ts';

/** How often the quick probes run, in simulated seconds. */
const periodSeconds = 1800;

/** When a fault is switched on. By then the first tokens have expired as they should. */
const faultAfterMs = days(1.1);

/** Real time between two checks of the status, and between two writes of the state. */
const restMs = 250;

export interface Demo {
  readonly page: URL;
  /** Waits until runs in progress end. @returns whether all have ended */
  stop(signal: string): Promise<boolean>;
}

export interface DemoOptions extends Pick<Settings, 'timeoutMs'> {
  readonly monitor: Pick<Settings['monitor'], 'host' | 'port' | 'authToken'>;
  readonly speed: number;
  readonly fault?: Fault;
  readonly out: Lines;
}

/** Starts sandbox and monitor on one fast clock. @throws the error of the socket, when it cannot listen there */
export async function show({ monitor, timeoutMs, speed, fault, out }: DemoOptions): Promise<Demo> {
  const time = fastTime(speed);
  const log = logTo(moments(out, time.monotonic), true);
  const { sandbox, become } = await startDemoProvider(time.wall);
  const target = targetInside(sandbox.baseUrl, sandboxAccount, sandboxEndpoints, { timeoutMs });
  const metrics = new Metrics({ version: 'demo' });
  const state = restful(openStateStore(':memory:'));
  const pace = { periodSeconds, seed: '' };
  const context = { probes, concurrency: 1, version: 'demo', metrics, log, state, time };
  const watched = new Watch({ targets: [target], pace, ...context });
  const served = {
    status: (only?: string) => watched.status(only),
    brief: () => watched.brief(),
    onChange: (listener: () => void) => watched.onChange(listener),
    metrics,
    authToken: monitor.authToken,
  };
  const listening = await listen(served, monitor);
  out.write(introduction({ page: listening.page, speed, fault }));
  const reportProofs = proofs((line) => log.note(`sandbox: ${line}`));
  watched.onChange(throttle(restMs, () => reportProofs(watched.status())));
  watched.start();
  const switchOn = ({ name, make, means }: Fault): void => {
    become({ ...right, ...make() });
    log.note(`the fault ${name} is switched on: ${means}`);
  };
  if (fault !== undefined) time.after(faultAfterMs, () => switchOn(fault));
  return {
    page: listening.page,
    async stop(signal) {
      log.stopping(signal);
      // A run in progress takes real time, so the limit is converted to simulated time.
      const drained = await watched.drain(timeoutMs * speed);
      await Promise.all([listening.close(), sandbox.close()]);
      state.close();
      log.stopped(drained);
      return drained;
    },
  };
}

/** The same state, but flushed less often than every simulated second. */
function restful(state: StateStore): StateStore {
  const flush = throttle(restMs, state.flush);
  return { ...state, flush: () => flush() ?? true };
}

function introduction({
  page,
  speed,
  fault,
}: Pick<DemoOptions, 'speed' | 'fault'> & Pick<Demo, 'page'>): string {
  const day = days(1) / 1000 / speed;
  const [shown, switched] = [day, (faultAfterMs / days(1)) * day].map((seconds) =>
    seconds.toFixed(seconds < 10 ? 1 : 0),
  );
  return [
    `The sandbox and its monitor on one clock: a day takes ${shown} s.`,
    '',
    `  page     ${page.href}`,
    `  metrics  ${new URL('/metrics', page).href}`,
    '',
    'See how long a token lives: a canary starts every four hours, and is checked at 1, 12 and 23 hours, around its end,',
    'and for a week after it. Once the first has expired, both bounds are close to 24 hours, and EXPIRY-1 and -2 hold.',
    fault === undefined
      ? 'npm run demo -- --list shows faults to switch on. Ctrl-C ends the demo.'
      : `After ${switched} s ${fault.name} is switched on. The probes then catch it. Ctrl-C ends the demo.`,
    '',
    '',
  ].join('\n');
}
