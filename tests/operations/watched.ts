import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Secret } from '../../contract/secrets/secret.ts';
import { right } from '../../sandbox/behaviour.ts';
import { authority } from '../client/certificates.ts';
import { tlsFront } from '../client/tls-front.ts';
import { addressOf, startMonitor } from '../monitor/process.ts';
import { type Prometheus, startPrometheus } from '../monitor/prometheus.ts';
import { startProvider } from '../monitor/provider.ts';
import { prometheusConfig } from './examples.ts';
import { startFastMonitor } from './fast-monitor.ts';
import { monitorToken, rulesWritten, targetsWritten } from './files.ts';

/** No process listens there. */
const nowhere = new URL('http://127.0.0.1:9');

/**
 * Prometheus, configured as in the example, on two monitors. One watches `secured` behind TLS. The clock
 * of the other is so fast that tokens of its `sandbox` expire during the test.
 */
export async function startWatched(): Promise<Prometheus> {
  await using started = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'watched-'));
  started.defer(() => rmSync(folder, { recursive: true }));
  const { url, authority: ca } = await startSecured(started);
  const file = path.join(folder, 'ca.pem');
  writeFileSync(file, ca);
  const monitor = started.use(startMonitor(targetsWritten([{ name: 'secured', url, ca: file }])));
  const fast = started.use(await startFastMonitor(right, new Secret(monitorToken)));
  const monitors = [await addressOf(monitor), fast.page];
  const prometheus = started.use(
    await startPrometheus(
      prometheusConfig({ monitors, alertmanager: nowhere, ...rulesWritten(folder) }),
    ),
  );
  const all = started.move();
  return { ...prometheus, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

/** Starts a provider with a certificate that is valid for a day. */
async function startSecured(started: AsyncDisposableStack) {
  const { baseUrl, close } = await startProvider();
  started.defer(close);
  const { good, cert, remove } = await authority();
  started.defer(remove);
  const front = await tlsFront(baseUrl, good);
  started.defer(() => front.close());
  return { url: front.url.href, authority: cert };
}
