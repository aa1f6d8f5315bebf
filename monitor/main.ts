import { setTimeout as sleep } from 'node:timers/promises';
import { loadSettings, readTlsPair, type Settings, SettingsError } from '../config/settings.ts';
import { printError } from '../contract/command.ts';
import { version } from '../contract/http/http-request.ts';
import { masked } from '../contract/secrets/masked.ts';
import { probes } from '../probes/index.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';
import { alertSender } from './alertmanager.ts';
import { type TargetsSet, targetInside, targetsSet } from './config/targets.ts';
import { realTime } from './loop/time.ts';
import { Metrics } from './metrics/metrics.ts';
import { CannotStart, cannotListen } from './start/cannot-start.ts';
import { check } from './start/check.ts';
import { onHangUp } from './start/signals.ts';
import { StateOpenError } from './state/opening.ts';
import { openStateStore } from './state/state.ts';
import { type Log, logTo, unlessUnread } from './watch/log.ts';
import { Watch } from './watch/watch.ts';
import type { OwnCertificate } from './web/own-certificate.ts';
import type { Served } from './web/routes.ts';
import { type Listening, listen } from './web/server.ts';

const help = `The monitor: runs the contract's probes on a schedule, against the sandbox unless a provider is set.

  npm start              watches; the page and /metrics are on http://127.0.0.1:9797
  npm start -- --check   reads the settings and the targets file, prints what would run, and ends
  npm start -- --help    this text

Settings are read from the environment and from .env:
  PUBLIC_API_BASE_URL, PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, PUBLIC_API_ENDPOINTS   the provider to watch
  MONITOR_CONFIG           a YAML file of targets instead: monitor.example.yaml shows every option
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
  const [argument, unknown] = args;
  if (args.includes('--help') || args.includes('-h')) return void process.stdout.write(help);
  if (argument !== undefined && argument !== '--check') throw unknownArgument(argument);
  if (unknown !== undefined) throw unknownArgument(unknown);
  const settings = loadSettings();
  if (argument === '--check') return check(settings);
  await run(settings);
}

const unknownArgument = (argument: string): CannotStart =>
  new CannotStart(`unknown argument ${masked(argument)}: npm start -- --help lists the options`);

async function run(settings: Settings): Promise<void> {
  const set = await targetsSet(settings, probes);
  // The process that reads the log may exit; the monitor continues.
  process.stdout.on('error', () => {});
  const log = logTo(unlessUnread(process.stdout), process.stdout.isTTY === true);
  const { sandbox, watching } =
    set === undefined ? await withSandbox(settings) : { sandbox: undefined, watching: set };
  const file = sandbox === undefined ? settings.monitor.state : undefined;
  const monitor = opened(settings.monitor, watching, log, file);
  const { watch, metrics, alerts, state } = monitor;
  metrics.reloaded(true, realTime.wall());
  metrics.shares(watching);
  const reloadable = reloading(monitor, log, sandbox !== undefined);
  const served = {
    brief: () => watch.brief(),
    metrics,
    ...reloadable,
  };
  const listening = await listenFor(settings, served, { metrics, log });
  log.started({
    target: wordsFor(watching),
    page: listening.page.href,
    metrics: listening.metrics.href,
  });
  noteIdle(watching, log);
  watch.start();
  alerts.sendTo(watching.notify ?? []);
  onHangUp(() => void reloadable.reload());
  await stopped(log);
  alerts.stop();
  const drained = await watch.drain(settings.timeoutMs);
  await Promise.race([Promise.all([listening.close(), sandbox?.close()]), sleep(1000)]);
  state.close();
  log.stopped(drained);
  process.exit(0);
}

/**
 * Opens the state; nothing runs yet.
 * @param file for the state; undefined for the sandbox too, which forgets its tokens when it ends
 * @throws StateOpenError
 */
function opened(
  { periodSeconds }: Settings['monitor'],
  { targets }: TargetsSet,
  log: Log,
  file = ':memory:',
) {
  const metrics = new Metrics(version);
  const state = openStateStore(file);
  const pace = { periodSeconds, seed: '' };
  const watch = new Watch({ targets, probes, pace, version, log, metrics, state });
  const alerts = alertSender({ log, time: realTime, known: watch.known });
  return { watch, metrics, alerts, state };
}

type Monitor = ReturnType<typeof opened>;

/** Without settings a provider in this process is the only target. */
async function withSandbox(settings: Settings) {
  const sandbox = await startSandbox();
  const target = targetInside(sandbox.baseUrl, sandboxAccount, sandboxEndpoints, settings);
  const { shard } = settings.monitor;
  const watching: TargetsSet = { targets: [target], names: [target.name], shard };
  return { sandbox, watching };
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
    log.note(`no target of the file belongs to shard ${number}/${of}: nothing is watched here`);
}

/**
 * Reloads the targets, all or nothing: after a mistake the old ones keep running, and the mistake is reported. The
 * status has its first line until a reload succeeds. `reload` never throws.
 */
function reloading(
  { watch, metrics, alerts }: Monitor,
  log: Log,
  inside: boolean,
): Required<Pick<Served, 'reload' | 'status'>> {
  let reloadProblem: string | undefined;
  const reload: Served['reload'] = async () => {
    try {
      const set = await targetsSet(loadSettings(), probes);
      if (inside !== (set === undefined))
        throw new SettingsError(['the sandbox runs inside the monitor: restart the monitor']);
      if (set !== undefined) {
        watch.retarget(set.targets);
        alerts.sendTo(set.notify ?? []);
        metrics.shares(set);
      }
      reloadProblem = undefined;
      metrics.reloaded(true, realTime.wall());
      const count = set?.targets.length ?? 1;
      log.reloaded(count, []);
      if (set !== undefined) noteIdle(set, log);
      return { ok: true, line: `watching ${count} from now on` };
    } catch (error) {
      const lines = linesOf(error);
      reloadProblem = lines[0];
      metrics.reloaded(false, realTime.wall());
      log.reloaded(0, lines);
      return { ok: false, line: `nothing is changed: ${lines.join('; ')}` };
    }
  };
  return { reload, status: (only) => ({ ...watch.status(only), reloadProblem }) };
}

/** Why a reload failed. An unexpected error is reported by its kind: its message may quote the file. */
function linesOf(error: unknown): readonly string[] {
  if (error instanceof SettingsError) return error.lines;
  if (error instanceof StateOpenError) return [error.message];
  return [`the monitor has a defect (${error instanceof Error ? error.name : typeof error})`];
}

/** @throws CannotStart */
async function listenFor(
  { monitor }: Settings,
  served: Served,
  reporting: { readonly metrics: Metrics; readonly log: Log },
): Promise<Listening> {
  const { authToken, tls, host, port } = monitor;
  const certificate = tls && ownCertificate(() => readTlsPair(tls), reporting);
  return listen({ ...served, authToken }, { host, port, certificate }).catch((error: unknown) => {
    throw cannotListen(error, monitor);
  });
}

function ownCertificate(
  read: OwnCertificate['read'],
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
): OwnCertificate {
  metrics.certificate(true);
  return {
    read,
    renewed({ expiresAt }) {
      metrics.certificate(true);
      log.recovered(
        `the renewed certificate is in use, and expires at ${new Date(expiresAt).toISOString()}`,
      );
    },
    unusable(problem) {
      metrics.certificate(false);
      log.note(`the earlier certificate stays in use: ${problem}`);
    },
  };
}

async function stopped(log: Log): Promise<void> {
  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.stopping(signal);
}

main(process.argv.slice(2)).catch((error: unknown) => process.exit(printError(error)));
