import './signals.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCommandLine, sourceOptions } from '../config/command-line.ts';
import {
  loadSettings,
  readTlsPair,
  type Settings,
  SettingsError,
  useOptions,
} from '../config/settings.ts';
import { printError } from '../contract/command.ts';
import { version } from '../contract/http/http-request.ts';
import { probes } from '../probes/index.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';
import { alertSender } from './alertmanager.ts';
import { check } from './check.ts';
import { type Log, logTo } from './log.ts';
import { realTime } from './loop/time.ts';
import { monitorMetrics } from './metrics/metrics.ts';
import type { MonitorView } from './status/view.ts';
import { StateOpenError } from './store/opening.ts';
import { openStore, type Store } from './store/store.ts';
import { type TargetsSet, targetInside, targetsSet } from './targets.ts';
import { Watch } from './watch.ts';
import type { TlsPair } from './web/own-certificate.ts';
import type { Served } from './web/routes.ts';
import { type Listening, listen } from './web/server.ts';

const help = `The monitor: runs the contract's probes on a schedule, against the sandbox unless a provider is set.

  npm start              watches; the page and /metrics are on http://127.0.0.1:9797
  npm start -- --check   reads the settings and the targets file, prints what would run, and ends
  npm start -- --targets FILE --known FILE --env FILE   instead of targets.yaml, known.yaml and .env
  npm start -- --help    this text

Settings are read from the environment and from .env:
  PUBLIC_API_BASE_URL, PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, PUBLIC_API_ENDPOINTS   the provider to watch
  PUBLIC_API_TARGETS       a YAML file of targets instead: targets.example.yaml shows every option
  MONITOR_SHARD            the shard of its targets, such as 2/3: the second of three monitors that read it
  MONITOR_HOST, MONITOR_PORT   where to listen
  MONITOR_TLS_CERT, MONITOR_TLS_KEY   files of the monitor's own certificate and key: it then speaks HTTPS
  MONITOR_PERIOD_SECONDS   the period of the quick probes (60); all others scale with it
  MONITOR_STATE            the file for its state (state/monitor.sqlite); none stores nothing
  MONITOR_AUTH_TOKEN       the Bearer token required on every route except /-/healthy, /-/ready
Routes: / /targets/NAME /status.json /metrics /probe?target=NAME /sd /badge/NAME.json
  /-/healthy /-/ready /-/reload
SIGHUP and POST /-/reload read the targets again. SIGTERM and SIGINT wait for running probes, then stop the
monitor with exit code 0. Wrong settings stop it with 2.
`;

async function main(args: readonly string[]): Promise<void> {
  const { values } = readCommandLine('npm start', {
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      check: { type: 'boolean' },
      ...{ targets: sourceOptions.targets, known: sourceOptions.known, env: sourceOptions.env },
    },
  });
  if (values.help) return void process.stdout.write(help);
  useOptions(values);
  const settings = loadSettings();
  if (values.check) return void process.stdout.write(await check(settings));
  await run(settings);
}

async function run(settings: Settings): Promise<void> {
  // The process that reads the log may exit; the monitor continues.
  process.stdout.on('error', () => {});
  const log = logTo(process.stdout, process.stdout.isTTY === true);
  const configured = await targetsSet(settings, probes);
  const sandbox = configured === undefined ? await startSandbox() : undefined;
  const set = configured ?? sandboxSet(sandbox?.baseUrl, settings);
  // The sandbox forgets its tokens when it ends.
  const file = sandbox === undefined ? settings.monitor.state : undefined;
  const store = openStore(file ?? ':memory:', (problem) => {
    if (problem === undefined) log.info('the state is writable again', { event: 'state' });
    else log.error(problem, { event: 'state', problem });
  });
  const { periodSeconds } = settings.monitor;
  const watch = new Watch({ targets: set.targets, probes, periodSeconds, log, store });
  const own: Own = { targetsInFile: set.names.length, reloadedAt: realTime.wall() };
  const view = (): MonitorView => ({ ...watch.view(), ...ownView(own, store) });
  const alerts = alertSender({ log, time: realTime, targets: () => watch.view().targets });
  const reload = reloading({ watch, alerts, own, log, isSandbox: sandbox !== undefined });
  const served = { view, reload, metrics: monitorMetrics(view) };
  const { page, metrics, close } = await listenFor(settings, served, log);
  const target = wordsFor(set);
  const addresses = { page: page.href, metrics: metrics.href };
  log.info(`watching ${target}: page ${page.href} metrics ${metrics.href}`, {
    target,
    ...addresses,
  });
  noteIdle(set, log);
  watch.start();
  alerts.sendTo(set.notify ?? []);
  process.on('SIGHUP', () => void reload());
  const signal = await stopped();
  log.info(`${signal} received: draining, no new runs`, { signal });
  alerts.stop();
  const drained = await watch.drain(settings.timeoutMs);
  await Promise.race([Promise.all([close(), sandbox?.close()]), sleep(1000)]);
  store.close();
  log.info(drained ? 'stopped' : 'stopped before all runs had ended', { drained });
  process.exit(0);
}

/** What the monitor knows of itself. */
interface Own {
  targetsInFile: number;
  /** Milliseconds since 1970. */
  reloadedAt: number;
  reloadProblem?: string;
}

const ownView = ({ reloadProblem, reloadedAt, ...own }: Own, store: Store) => ({
  version,
  reloadProblem,
  own: {
    ...own,
    reload: { isSuccessful: reloadProblem === undefined, at: reloadedAt },
    state: { isWritable: store.problem() === undefined, failures: store.failures() },
  },
});

/** Without settings a provider in this process is the only target. */
function sandboxSet(address: URL | undefined, settings: Settings): TargetsSet {
  if (address === undefined) throw new Error('the sandbox has no address');
  const target = targetInside(address, sandboxAccount, sandboxEndpoints, settings);
  const { shard } = settings.monitor;
  return { targets: [target], names: [target.name], shard };
}

/** `production`, `3 targets`, `12 of 30 targets, as shard 2/3`. */
function wordsFor({ targets, names, shard: { number, of } }: TargetsSet): string {
  const [only, another] = targets;
  if (of > 1) return `${targets.length} of ${names.length} targets, as shard ${number}/${of}`;
  return only !== undefined && another === undefined ? only.name : `${targets.length} targets`;
}

/** A shard may have no target: it keeps running, because a reload may bring some. */
function noteIdle({ targets, shard: { number, of } }: TargetsSet, log: Log): void {
  if (targets.length === 0)
    log.warn(`no target of the file belongs to shard ${number}/${of}: nothing is watched here`);
}

interface Reloaded {
  readonly watch: Watch;
  readonly alerts: ReturnType<typeof alertSender>;
  readonly own: Own;
  readonly log: Log;
  readonly isSandbox: boolean;
}

/**
 * Reloads the targets, all or nothing: after a mistake the old ones keep running, and the mistake is reported, also on
 * the page until a reload succeeds. It never throws.
 */
function reloading({ watch, alerts, own, log, isSandbox }: Reloaded) {
  return async (): Promise<{ readonly ok: boolean; readonly line: string }> => {
    const event = 'reload';
    try {
      const set = await targetsSet(loadSettings(), probes);
      if (isSandbox !== (set === undefined))
        throw new SettingsError(['the sandbox runs inside the monitor: restart the monitor']);
      if (set !== undefined) {
        watch.retarget(set.targets);
        alerts.sendTo(set.notify ?? []);
        own.targetsInFile = set.names.length;
        own.reloadedAt = realTime.wall();
        own.reloadProblem = undefined;
        noteIdle(set, log);
      }
      const targets = set?.targets.length ?? 1;
      const line = `watching ${targets} from now on`;
      log.info(line, { event, targets });
      return { ok: true, line };
    } catch (error) {
      const lines = linesOf(error);
      own.reloadProblem = lines[0];
      for (const problem of lines) log.error(`nothing is changed: ${problem}`, { event, problem });
      return { ok: false, line: `nothing is changed: ${lines.join('; ')}` };
    }
  };
}

/** Why a reload failed. An unexpected error is reported by its kind: its message may quote the file. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.lines;
  if (error instanceof StateOpenError) return [error.message];
  return [`the monitor has a defect (${error instanceof Error ? error.name : typeof error})`];
}

/** @throws UserError */
async function listenFor({ monitor }: Settings, served: Served, log: Log): Promise<Listening> {
  const { authToken, tls, host, port } = monitor;
  const certificate = tls && {
    read: () => readTlsPair(tls),
    renewed({ expiresAt }: TlsPair) {
      const until = new Date(expiresAt).toISOString();
      log.info(`the renewed certificate is in use, and expires at ${until}`);
    },
    unusable: (problem: string) => log.warn(`the earlier certificate stays in use: ${problem}`),
  };
  return listen({ ...served, authToken }, { host, port, certificate });
}

const stopped = (): Promise<string> =>
  new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });

main(process.argv.slice(2)).catch((error: unknown) => process.exit(printError(error)));
