import os from 'node:os';
import type { Secret } from '../../contract/secrets/secret.ts';
import type { Settings } from '../../settings.ts';
import type { NotifyConfig } from '../config/notify.ts';
import { Metrics } from '../metrics/metrics.ts';
import { Notifier, type NotifierOptions } from '../notify/notifier.ts';
import { realTime } from '../schedule/time.ts';
import { openStateStore } from '../state/state.ts';
import type { WatchedTarget } from '../target/watched-target.ts';
import { Watch, type WatchOptions } from '../watch/watch.ts';
import type { Served } from '../web/routes.ts';

/** The running part of a monitor, alone or in a fleet. */
export interface Running {
  readonly served: Pick<Served, 'status' | 'brief' | 'onChange' | 'metrics' | 'fleet'>;
  readonly metrics: Metrics;
  readonly notifier: Notifier;
  /** @throws StateOpenError when the state cannot be read; then nothing is changed */
  retarget(targets: readonly WatchedTarget[]): void;
  start(page: URL): Promise<void>;
  /** Ends the runs. @returns whether all ended, and, in a fleet, whether everything was written */
  drain(withinMs: number): Promise<boolean>;
  /** Closes the state. */
  close(): void;
}

export interface RunningOptions extends Omit<WatchOptions, 'state' | 'metrics' | 'beforeRequest'> {
  readonly notify: NotifyConfig | undefined;
}

/** A monitor with its own state. @param file the path of the state file @throws StateOpenError */
export function alone(options: RunningOptions, file: string): Running {
  const metrics = new Metrics(options);
  const state = openStateStore(file);
  const watch = new Watch({ ...options, metrics, state });
  const notifier = notifierOf(options, { watch, metrics, state });
  return {
    served: { ...servedBy(watch, notifier), metrics },
    metrics,
    notifier,
    retarget: (targets) => watch.retarget(targets),
    async start({ host }) {
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

/**
 * A monitor that shares state and targets with others.
 * @param onRefused called when the database, which was gone at the start, refuses this monitor permanently
 * @throws StateOpenError when the database refuses this monitor
 */
export async function inFleet(
  options: RunningOptions & { readonly onRefused: (error: Error) => void },
  address: Secret,
  { advertise }: Pick<Settings['monitor'], 'advertise'>,
): Promise<Running> {
  // Loaded only for a fleet, so that other monitors do not load the database client.
  const [{ FleetMember }, { PostgresDatabase }] = await Promise.all([
    import('./fleet-member.ts'),
    import('../fleet/postgres.ts'),
  ]);
  const metrics = new Metrics({ ...options, apart: true });
  const database = new PostgresDatabase(address);
  await database.open();
  const member = new FleetMember({ ...options, metrics, database });
  const { watch, store: state } = member;
  const notifier = notifierOf(options, {
    watch,
    metrics,
    state,
    leaseOf: (target) => member.leaseOf(target),
    isStored: (...message) => member.hasMessage(...message),
  });
  return {
    served: {
      ...servedBy(watch, notifier),
      metrics: member.exported,
      fleet: () => member.status(),
    },
    metrics,
    notifier,
    retarget: (targets) => member.retarget(targets),
    async start(page) {
      const authority = advertise ?? reachedAt(page);
      notifier.start(authority);
      await member.start(authority);
    },
    drain: (withinMs) => member.drain(withinMs, notifier.stop()),
    close: () => {},
  };
}

const notifierOf = (
  { log, time = realTime, notify }: RunningOptions,
  {
    watch,
    ...rest
  }: Pick<NotifierOptions, 'metrics' | 'state' | 'leaseOf' | 'isStored'> & { watch: Watch },
): Notifier => new Notifier({ ...rest, log, time, known: () => watch.known() }, notify);

const servedBy = (
  watch: Watch,
  notifier: Notifier,
): Pick<Served, 'status' | 'brief' | 'onChange'> => ({
  status: (only) => ({ ...watch.status(only), notifications: notifier.status() }),
  brief: () => watch.brief(),
  onChange: (listener) => watch.onChange(listener),
});

/** A monitor that listens on all interfaces is reachable by its machine's name. */
const reachedAt = ({ hostname, port, host }: URL): string =>
  ['0.0.0.0', '[::]'].includes(hostname) ? `${os.hostname()}:${port}` : host;
