import './signals.ts';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import { readCommandLine, sourceOptions } from '../config/command-line.ts';
import { SettingsError } from '../config/fields.ts';
import { loadSettings, type Settings, useOptions } from '../config/settings.ts';
import { printError, UserError } from '../contract/command.ts';
import { version } from '../contract/http/http-request.ts';
import { probes } from '../probes/index.ts';
import { alertSender } from './alertmanager.ts';
import { check } from './check.ts';
import { type Log, logTo } from './log.ts';
import { realTime } from './loop/time.ts';
import { monitorMetrics } from './metrics/metrics.ts';
import type { MonitorView } from './status/view.ts';
import { openDatabase } from './store/opening.ts';
import { Store } from './store/store.ts';
import { sandboxSet, type TargetsSet, targetsSet } from './targets.ts';
import { Watch } from './watch.ts';
import { listen } from './web/server.ts';

const help = `The monitor: runs the contract's probes on a schedule, against the sandbox unless a provider is set.

  npm start              watches; the page and /metrics are on http://127.0.0.1:9797
  npm start -- --check   reads the settings and the targets file, prints what would run, and ends
  npm start -- --targets FILE --known FILE --env FILE   instead of targets.yaml, known.yaml and .env
  npm start -- --help    this text

Settings are read from the environment and from .env: config/README.md lists all, such as
  PUBLIC_API_BASE_URL, PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, PUBLIC_API_ENDPOINTS   the provider to watch
  PUBLIC_API_TARGETS   a YAML file of targets instead: targets.example.yaml shows every option
  MONITOR_HOST, MONITOR_PORT, MONITOR_AUTH_TOKEN   where to listen, and the token that routes require
Routes: / /targets/NAME /status.json /metrics /probe?target=NAME /sd /badge/NAME.json
  /-/healthy /-/ready, both without the token, and /-/reload
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
  // By default V8 lets garbage grow to two to four times of what is in use.
  v8.setFlagsFromString('--heap-growing-percent=20');
  // The process that reads the log may exit; the monitor continues.
  process.stdout.on('error', () => {});
  const log = logTo(process.stdout, process.stdout.isTTY === true);
  const set = (await targetsSet(settings, probes)) ?? (await sandboxSet(settings));
  const isSandbox = set.closeSandbox !== undefined;
  // The sandbox forgets its tokens when it ends.
  const { state, periodSeconds, authToken, host, port } = settings.monitor;
  const file = isSandbox || state === 'none' ? ':memory:' : state;
  const store = new Store(openDatabase(file), log);
  const watch = new Watch({ targets: set.targets, probes, periodSeconds, log, store });
  const targetsInFile = set.names.length;
  const loaded: Loaded = { isSandbox, targetsInFile, loadedAt: realTime.wall() };
  const view = (): MonitorView => {
    const { problem: reloadProblem, ...own } = loaded;
    return { ...watch.view(), version, reloadProblem, own: { ...own, ...store.health() } };
  };
  const alerts = alertSender({ log, time: realTime, targets: () => watch.view().targets });
  const reload = reloader(watch, alerts, loaded, log);
  const served = { view, reload, authToken, metrics: monitorMetrics(view) };
  const certificate = { read: () => loadSettings().monitor.tls, log };
  const { page, close } = await listen(served, { host, port, certificate });
  const target = describeTargets(set);
  const addresses = { page: page.href, metrics: `${page.href}metrics` };
  const text = `watching ${target}: page ${addresses.page} metrics ${addresses.metrics}`;
  log.info(text, { target, ...addresses });
  watch.start();
  alerts.sendTo(set.notify ?? []);
  process.on('SIGHUP', () => void reload());
  const [signal] = await Promise.race(['SIGTERM', 'SIGINT'].map((name) => once(process, name)));
  log.info(`${signal} received: draining, no new runs`, { signal });
  alerts.stop();
  const drained = await watch.drain(settings.timeoutMs);
  await Promise.race([Promise.all([close(), set.closeSandbox?.()]), sleep(1000)]);
  store.close();
  log.info(drained ? 'stopped' : 'stopped before all runs had ended', { drained });
  process.exit(0);
}

/** What is known of the latest load of the targets. */
interface Loaded {
  readonly isSandbox: boolean;
  targetsInFile: number;
  /** Milliseconds since 1970. */
  loadedAt: number;
  problem?: string;
}

/** `production`, `3 targets`, `12 of 30 targets, as shard 2/3`. */
function describeTargets({ targets, names, shard: { number, of } }: TargetsSet): string {
  const [only, another] = targets;
  if (of > 1) return `${targets.length} of ${names.length} targets, as shard ${number}/${of}`;
  return only !== undefined && another === undefined ? only.name : `${targets.length} targets`;
}

/** Reloads the targets, all or nothing. A mistake is on the page until a reload succeeds. It never throws. */
function reloader(watch: Watch, alerts: ReturnType<typeof alertSender>, loaded: Loaded, log: Log) {
  return async (): Promise<{ readonly ok: boolean; readonly line: string }> => {
    const event = 'reload';
    try {
      const set = await targetsSet(loadSettings(), probes);
      if (loaded.isSandbox || set === undefined)
        throw new SettingsError('the sandbox runs inside the monitor: restart the monitor');
      watch.retarget(set.targets);
      alerts.sendTo(set.notify ?? []);
      loaded.targetsInFile = set.names.length;
      loaded.loadedAt = realTime.wall();
      loaded.problem = undefined;
      const targets = set.targets.length;
      const line = `watching ${targets} from now on`;
      log.info(line, { event, targets });
      return { ok: true, line };
    } catch (error) {
      const lines = formatReloadError(error);
      loaded.problem = lines[0];
      for (const problem of lines) log.error(`nothing is changed: ${problem}`, { event, problem });
      return { ok: false, line: `nothing is changed: ${lines.join('; ')}` };
    }
  };
}

/** Why a reload failed. An unexpected error is reported by its kind: its message may quote the file. */
function formatReloadError(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.message.split('\n');
  if (error instanceof UserError) return [error.message];
  return [`the monitor has a defect (${error instanceof Error ? error.name : typeof error})`];
}

main(process.argv.slice(2)).catch((error: unknown) => process.exit(printError(error)));
