import type { MustId } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import { logTo } from '../../monitor/log.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { clausesWith, type Status } from '../../monitor/status/status.ts';
import { openDatabase } from '../../monitor/store/opening.ts';
import { Store } from '../../monitor/store/store.ts';
import { Watch } from '../../monitor/watch.ts';
import { probeAbout } from './runs.ts';
import { type InMemory, inMemory } from './service-in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

/** A monitor of the service in memory, configured as in the program. */
export function watching(
  probes: readonly Probe[],
  {
    time = simulatedTime(),
    provider = inMemory(time),
    store = new Store(openDatabase(':memory:')),
    logged = [] as string[],
    targets = [provider.target] as readonly WatchedTarget[],
  } = {},
) {
  const watched = new Watch({
    targets,
    probes,
    periodSeconds: 60,
    log: logTo({ write: (line) => void logged.push(JSON.parse(line).msg) }, false),
    store,
    time,
    exchange: provider.exchange,
  });
  watched.start();
  /** What is known of a target, by default of the first. */
  const status = (index = 0): Status => {
    const view = watched.view().targets[index];
    if (view === undefined) throw new Error('no such target is watched');
    return view.status;
  };
  return Object.assign(watched, {
    time,
    provider,
    store,
    logged,
    status,
    /** What its canaries show. */
    token: () => watched.view().targets[0]?.token,
    /** The verdict of a clause for the first target. */
    verdict: (clause: MustId) => status().clauses[clause].verdict,
    /** The violated clauses of the first target. */
    violated: () => clausesWith(status(), 'violated').map(({ id }) => id),
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

interface Changes extends Partial<WatchedTarget> {
  /** Replaces the provider's network. */
  readonly exchange?: InMemory['exchange'];
}

/** Judges nothing: its round only requests a token. */
const idle = probeAbout('idle', [], { scope: 'service' });

/**
 * A monitor that keeps canaries, and requests another token each hour. `start` starts its process, or kills it and
 * starts it again: the state stays.
 */
export function keepingCanaries(everySeconds = 4 * 3600) {
  const canaries = { everySeconds };
  const { time, provider, target, watch } = quiet({ canaries, periodSeconds: 3600 });
  const store = new Store(openDatabase(':memory:'));
  const logged: string[] = [];
  let running: ReturnType<typeof watching> | undefined;
  const monitor = () => {
    if (running === undefined) throw new Error('not started');
    return running;
  };
  const status = () => monitor().status();
  return {
    time,
    provider,
    target,
    logged,
    start({ exchange = provider.exchange, ...changes }: Changes = {}): void {
      time.kill();
      const targets = [{ ...target, ...changes }];
      running = watch([idle], { store, logged, provider: { ...provider, exchange }, targets });
    },
    status,
    checks: () => status().checks,
    token: () => monitor().token(),
    canaries: () => monitor().token()?.canaries,
    /** As the state file has them. */
    rows: () => [...store.load(target.name).canaries.values()],
    verdict: (clause: MustId) => monitor().verdict(clause),
    violated: () => monitor().violated(),
  };
}
