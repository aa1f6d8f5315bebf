import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Secret } from '../contract/secret.ts';
import { probes } from '../probes/index.ts';
import { sandboxAccount, sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';
import { loadSettings, type Settings, SettingsError } from '../settings.ts';
import { logTo } from './log.ts';
import { metricsOf } from './metrics.ts';
import type { WatchedTarget } from './plan.ts';
import { listen } from './server.ts';
import { watch } from './watch.ts';

const help = `The monitor: runs the contract's probes on a schedule, against the sandbox unless a provider is set.

  npm start             watches; the page and /metrics are on http://127.0.0.1:9797
  npm start -- --help   this text

Settings are read from the environment and from .env:
  PUBLIC_API_BASE_URL, PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY, PUBLIC_API_ENDPOINTS   the provider to watch
  MONITOR_HOST, MONITOR_PORT                                                         where to listen
  MONITOR_PERIOD_SECONDS   how often the quick probes run (60); all others are scaled with it
Routes: / /status.json /metrics /-/healthy /-/ready
SIGTERM and SIGINT let the runs under way end, then stop the monitor with exit code 0.
`;

/** The monitor cannot start, and why: lines that say what to do. */
class CannotStart extends Error {}

/** Runs that one machine can take at once, over all targets. */
const atOnce = 64;

/** More than any answer of the contract needs. */
const maxBodyBytes = 1024 * 1024;

async function main(args: readonly string[]): Promise<void> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return;
  }
  if (args.length > 0) throw new CannotStart(`unknown argument ${args[0]}: see --help`);
  const settings = loadSettings();
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  // Whoever reads the log may go away; the monitor stays.
  process.stdout.on('error', () => {});
  const log = logTo(process.stdout, process.stdout.isTTY === true);
  const metrics = metricsOf({ version });
  const { target, release } = await targetOf(settings);
  const watched = watch({
    targets: [target],
    probes,
    pace: { periodSeconds: settings.monitor.periodSeconds, seed: '' },
    atOnce,
    version,
    metrics,
    log,
  });
  const listening = await listen({ status: watched.status, metrics }, settings.monitor).catch(
    (error: unknown) => {
      throw cannotListen(error, settings.monitor);
    },
  );
  log.started({ target: target.name, page: listening.page.href, metrics: listening.metrics.href });
  watched.start();

  const signal = await new Promise<string>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => resolve(name));
  });
  log.stopping(signal);
  const drained = await watched.drain(settings.timeoutMs);
  await Promise.race([Promise.all([listening.close(), release()]), sleep(1000)]);
  log.stopped(drained);
  process.exit(0);
}

/** The provider that is set, or the sandbox in this very process. */
async function targetOf(
  settings: Settings,
): Promise<{ readonly target: WatchedTarget; readonly release: () => Promise<void> }> {
  const { provider, timeoutMs, ca, perSecond } = settings;
  const wire = { timeoutMs, maxBodyBytes, ...(ca === undefined ? {} : { ca }) };
  const pace = perSecond === undefined ? {} : { perSecond };
  if (provider !== undefined) {
    const { baseUrl, account, endpoints } = provider;
    const name = baseUrl.host;
    const target = { name, wire: { ...wire, origin: baseUrl }, account, endpoints, ...pace };
    return { target, release: async () => {} };
  }
  const { apiKey, secretKey } = sandboxAccount;
  const [first, ...others] = sandboxEndpoints;
  if (first === undefined) throw new Error('the sandbox serves no endpoint');
  const sandbox = await startSandbox();
  return {
    target: {
      name: 'sandbox',
      wire: { ...wire, origin: sandbox.baseUrl },
      account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
      endpoints: [first, ...others],
      ...pace,
    },
    release: sandbox.close,
  };
}

const whyNotListening: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken: set MONITOR_PORT to another port, or 0 for any',
  EACCES: 'needs a right that this user lacks: set MONITOR_PORT to one above 1023',
  EADDRNOTAVAIL: 'is no address of this machine: set MONITOR_HOST',
  ENOTFOUND: 'has a name that does not resolve: set MONITOR_HOST',
  EAI_AGAIN: 'has a name that does not resolve now: set MONITOR_HOST',
};

function cannotListen(error: unknown, { host, port }: Settings['monitor']): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = whyNotListening[code];
  return why === undefined ? error : new CannotStart(`${host}:${port} ${why}`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const known = error instanceof CannotStart || error instanceof SettingsError;
  const text = error instanceof Error ? (known ? error.message : error.stack) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(known ? 2 : 3);
});
