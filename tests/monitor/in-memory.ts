import type { Probe } from '../../contract/probe.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { openStateStore } from '../../monitor/state/state.ts';
import { logTo } from '../../monitor/watch/log.ts';
import { Watch } from '../../monitor/watch/watch.ts';
import { inMemory } from './service-in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

export { down, type InMemory, inMemory } from './service-in-memory.ts';

/** A monitor of the service in memory, configured as in the program. */
export function watching(
  probes: readonly Probe[],
  {
    time = simulatedTime(),
    provider = inMemory(time),
    state = openStateStore(':memory:'),
    logged = [] as string[],
    targets = [provider.target] as readonly WatchedTarget[],
    writesEachSecond = false,
  } = {},
) {
  const metrics = new Metrics('1.2.3');
  const watched = new Watch({
    targets,
    probes,
    pace: { periodSeconds: 60, seed: '' },
    // Most tests simulate days, which have many seconds.
    ...(writesEachSecond ? {} : { flushMs: 60_000 }),
    version: '1.2.3',
    metrics,
    log: logTo({ write: (line) => void logged.push(JSON.parse(line).msg) }, false),
    state,
    time,
    exchange: provider.exchange,
  });
  watched.start();
  const clauses = () => watched.status().targets[0]?.clauses ?? [];
  return Object.assign(watched, {
    metrics,
    time,
    provider,
    state,
    logged,
    /** The verdict of a clause for the first target. */
    verdict: (clause: string) => clauses().find(({ id }) => id === clause)?.verdict,
    /** The violated clauses of the first target. */
    violated: () => clauses().flatMap(({ id, verdict }) => (verdict === 'violated' ? [id] : [])),
  });
}

/** A target with only its first endpoint, no canary and these changes, and `watch`, which starts a monitor of it. */
export function quiet(changes: Partial<WatchedTarget> = {}) {
  const time = simulatedTime();
  const provider = inMemory(time);
  const [endpoint] = provider.target.endpoints;
  const target: WatchedTarget = {
    ...provider.target,
    endpoints: [endpoint],
    canaries: 'off',
    ...changes,
  };
  return {
    time,
    provider,
    target,
    watch: (probes: readonly Probe[], options: Parameters<typeof watching>[1] = {}) =>
      watching(probes, { time, provider, targets: [target], ...options }),
  };
}

/** The lines of a scrape that begin with this name. */
export const series = async (text: Promise<string>, name: string): Promise<string[]> =>
  (await text).split('\n').filter((line) => line.startsWith(name));
