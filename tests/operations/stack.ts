import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { addressOf, startMonitor } from '../monitor/process.ts';
import { type Prometheus, startPrometheus } from '../monitor/prometheus.ts';
import { type Provider, startProvider } from '../monitor/provider.ts';
import { startDaemon } from './daemon.ts';
import { alertmanagerConfig, prometheusConfig } from './examples.ts';
import { rulesWritten, targetsWritten } from './files.ts';
import { type Inbox, startInbox } from './inbox.ts';

/** An alert in Prometheus. */
interface Alert {
  readonly state: 'pending' | 'firing';
  readonly labels: Readonly<Record<string, string>>;
}

/** All programs of a deployment, configured as in the examples. */
export interface Stack extends AsyncDisposable {
  /** Two providers, which behave correctly until a test changes them. */
  readonly payments: Provider;
  readonly search: Provider;
  readonly prometheus: Prometheus;
  alerts(): Promise<readonly Alert[]>;
  /** Alerts that Alertmanager suppresses, because another firing alert is their cause. */
  inhibited(): Promise<readonly Pick<Alert, 'labels'>[]>;
  /** The notifications of Alertmanager. */
  readonly inbox: Inbox;
}

/** Starts a monitor of two providers, Prometheus and Alertmanager, each as a separate process. */
export async function startStack(): Promise<Stack> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'operations-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const providers = { payments: await startProvider(), search: await startProvider() };
  const targets = Object.entries(providers).map(([name, { baseUrl, close }]) => {
    started.defer(close);
    return { name, url: baseUrl.href, labels: { team: `${name}-team` } };
  });
  const monitor = started.use(startMonitor(targetsWritten(targets)));
  const inbox = started.use(await startInbox());
  const alertmanager = started.use(await startAlertmanager(alertmanagerConfig(inbox.address)));
  const config = prometheusConfig({
    monitors: [await addressOf(monitor)],
    alertmanager: alertmanager.address,
    ...rulesWritten(folder),
  });
  // If an alert fires before Prometheus finds Alertmanager, it would be sent again only a minute later.
  const prometheus = started.use(await startPrometheus(config, '--rules.alert.resend-delay=1s'));
  const all = started.move();
  return {
    ...providers,
    prometheus,
    inbox,
    async alerts() {
      const { data }: { data: { alerts: Alert[] } } = await read(prometheus, '/api/v1/alerts');
      return data.alerts;
    },
    inhibited: () => read(alertmanager, '/api/v2/alerts?active=false&inhibited=true'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/** @param config the content of `alertmanager.yml` @param storage a folder for its state; by default one of its own */
export const startAlertmanager = (config: string, storage?: string) =>
  startDaemon({
    program: 'alertmanager',
    files: { 'alertmanager.yml': config },
    args: (at, folder) => [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${storage ?? `${folder}/data`}`,
      `--web.listen-address=${at}`,
      `--web.external-url=http://${at}`,
      '--cluster.listen-address=',
    ],
    readyWith: 'Listening on',
  });

const read = async ({ address }: { readonly address: URL }, path: string) =>
  JSON.parse(await (await fetch(new URL(path, address))).text());
