import { findAddress, startMonitor } from '../monitor/process.ts';
import { startPrometheus } from '../monitor/prometheus.ts';
import { startProvider } from '../monitor/provider.ts';
import { watchingTargets } from '../monitor/targets-file.ts';
import { test } from '../test.ts';
import { startDaemon } from './daemon.ts';
import { alertmanagerConfig, monitorToken, prometheusConfig } from './examples.ts';
import { startInbox } from './inbox.ts';

/**
 * A monitor of two providers, Prometheus and Alertmanager, each as a separate process and configured as in the
 * examples. The providers behave correctly until a test changes them.
 */
export async function startStack() {
  await using started = new AsyncDisposableStack();
  const providers = { payments: await startProvider(), search: await startProvider() };
  const targets = Object.entries(providers).map(([name, { baseUrl, close }]) => {
    started.defer(close);
    return { name, url: baseUrl.href, monitor: { labels: { team: `${name}-team` } } };
  });
  const env = { ...watchingTargets(targets, { period: '5s' }), MONITOR_AUTH_TOKEN: monitorToken };
  const monitor = started.use(startMonitor(env));
  const inbox = started.use(await startInbox());
  const { address } = started.use(await startAlertmanager(alertmanagerConfig(inbox.address)));
  const config = prometheusConfig(test.info().outputPath(''), await findAddress(monitor), address);
  // If an alert fires before Prometheus finds Alertmanager, it would be sent again only a minute later.
  const prometheus = started.use(await startPrometheus(config, '--rules.alert.resend-delay=1s'));
  const all = started.move();
  return { ...providers, prometheus, inbox, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** @param config the content of `alertmanager.yml` */
export const startAlertmanager = (config: string) =>
  startDaemon({
    program: 'alertmanager',
    files: { 'alertmanager.yml': config },
    args: (at, folder) => [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/data`,
      `--web.listen-address=${at}`,
      `--web.external-url=http://${at}`,
      '--cluster.listen-address=',
    ],
    readyWith: 'Listening on',
  });
