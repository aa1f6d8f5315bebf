import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { expect } from '@playwright/test';
import { readSettings, readTlsPair } from '../../config/settings.ts';
import type { Served } from '../../monitor/web/routes.ts';
import { listen } from '../../monitor/web/server.ts';
import type { Authority } from '../client/certificates.ts';
import { test as base } from '../client/secured.ts';
import { ours, startNode } from '../process.ts';
import { needs } from '../programs.ts';
import { addressOf, startMonitor, watching } from './process.ts';
import { startProvider } from './provider.ts';
import { fakeMetrics, serving } from './serving.ts';
import { simulatedTime } from './simulated-time.ts';
import { statusWith } from './statuses.ts';

needs('openssl');

type Pair = Pick<Authority['good'], 'cert' | 'key'>;

/** The files of a certificate and its key. */
interface PairFiles {
  readonly cert: string;
  readonly key: string;
  write(pair: Partial<Pair>): void;
}

const test = base.extend<{ files: PairFiles }>({
  files: async ({ ca }, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'own-certificate-'));
    const cert = path.join(folder, 'tls.crt');
    const key = path.join(folder, 'tls.key');
    const write = (pair: Partial<Pair>): void => {
      if (pair.cert !== undefined) writeFileSync(cert, pair.cert);
      if (pair.key !== undefined) writeFileSync(key, pair.key);
    };
    write(ca.good);
    await use({ cert, key, write });
    rmSync(folder, { recursive: true });
  },
});

/** The serial number of the certificate that the server presents. */
async function serialOf(address: URL, { cert }: Authority): Promise<string> {
  const socket = tls.connect({ host: address.hostname, port: Number(address.port), ca: cert });
  return new Promise<string>((resolve, reject) => {
    socket.once('error', reject).once('secureConnect', () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
  });
}

const get = (address: URL, { cert }: Authority): Promise<string> =>
  new Promise((resolve, reject) => {
    https
      .get(address, { ca: cert, agent: false }, async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve(text);
      })
      .on('error', reject);
  });

test('a renewed pair is used, and an unusable one is reported once while the old one stays', async ({
  ca,
  files,
}) => {
  const time = simulatedTime();
  const events: string[] = [];
  const certificate = {
    read: () => readTlsPair(files),
    renewed: () => events.push('renewed'),
    unusable: (problem: string) => events.push(problem),
  };
  const served: Served = { status: () => statusWith([]), metrics: fakeMetrics() };
  const { page, close } = await listen(served, { host: '127.0.0.1', port: 0, time, certificate });
  const serial = () => serialOf(page, ca);
  const first = await serial();
  const look = 30_000;
  expect(page.protocol).toBe('https:');
  await time.pass(look * 3);
  expect(events).toEqual([]);

  // In the middle of a renewal: the certificate is already new, its key is still the old one.
  files.write({ cert: ca.outliving.cert });
  await time.pass(look);
  expect([await serial(), events]).toEqual([first, []]);
  files.write({ key: ca.outliving.key });
  await time.pass(look);
  const second = await serial();
  expect(second).not.toBe(first);
  expect(events).toEqual(['renewed']);

  files.write(ca.expired);
  await time.pass(look * 5);
  const expired = 'MONITOR_TLS_CERT names a certificate that expired at 2020-02-01T00:00:00.000Z';
  expect(events.splice(0)).toEqual(['renewed', expired]);
  rmSync(files.key);
  await time.pass(look * 5);
  expect(events.splice(0).join()).toMatch(
    /^MONITOR_TLS_KEY names a file that cannot be read \(ENOENT\);/,
  );
  expect(await serial()).toBe(second);
  files.write(ca.outliving);
  await time.pass(look);
  expect(events).toEqual(['renewed']);
  await close();
  expect(time.sleepers()).toBe(0);
});

test('a monitor with a certificate speaks HTTPS and prints no key', async ({ ca, files }) => {
  await using provider = await startProvider();
  await using monitor = startMonitor({
    ...watching(provider.baseUrl),
    MONITOR_TLS_CERT: files.cert,
    MONITOR_TLS_KEY: files.key,
  });
  const page = await addressOf(monitor);
  expect(page.protocol).toBe('https:');
  expect(monitor.stdout()).toContain(`"metrics":"${page.href}metrics"`);
  const metrics = await get(new URL('/metrics', page), ca);
  expect(metrics).toContain('\nmonitor_tls_last_reload_successful 1\n');
  const plain = await fetch(`http://${page.host}/-/healthy`).catch((error: Error) => error.name);
  expect(plain).toBe('TypeError');
  const [, body = ''] = readFileSync(files.key, 'utf8').split('\n');
  expect(body.length).toBeGreaterThan(32);
  const seen = metrics + (await get(page, ca)) + (await get(new URL('/status.json', page), ca));
  expect(seen + monitor.stdout() + monitor.stderr()).not.toContain(body);
  expect(await monitor.stop()).toBe(0);
});

test("the image's health check finds the port with and without a certificate", async ({
  files,
}) => {
  const dockerfile = readFileSync(ours('Dockerfile'), 'utf8');
  const [, command = ''] = /^HEALTHCHECK .*\n +CMD (.*)$/m.exec(dockerfile) ?? [];
  const [, ...args]: string[] = JSON.parse(command);
  for (const encrypted of [true, false]) {
    const certificate = { read: () => readTlsPair(files), renewed() {}, unusable() {} };
    const address = { host: '127.0.0.1', port: 0, ...(encrypted ? { certificate } : {}) };
    const { page, close } = await listen(
      { status: () => statusWith([]), metrics: fakeMetrics() },
      address,
    );
    const exit = async (env: Record<string, string>) =>
      (await startNode('/', args, { MONITOR_PORT: page.port, ...env }).ended).exit;
    const set = { MONITOR_TLS_CERT: files.cert };
    expect([await exit(set), await exit({})]).toEqual(encrypted ? [0, 1] : [1, 0]);
    await close();
  }
});

test('a pair that cannot be used is refused in one line', ({ ca, files }) => {
  for (const [pair, line] of [
    [{ key: ca.outliving.key }, /^MONITOR_TLS_KEY names the key of another certificate .*$/],
    [ca.expired, /^MONITOR_TLS_CERT names a certificate that expired at 2020-02-01T.*$/],
    [{ ...ca.good, key: ca.good.cert }, /^MONITOR_TLS_KEY names a file without a private key .*$/],
  ] as const) {
    files.write(pair);
    const { cert, key } = files;
    expect(() => readSettings({ MONITOR_TLS_CERT: cert, MONITOR_TLS_KEY: key })).toThrow(line);
  }
});

test('service discovery has the scheme of the monitor', async () => {
  const { get } = serving();
  for (const scheme of ['http', 'https']) {
    const groups: { labels: Record<string, string> }[] = JSON.parse(
      await (await get(`${scheme}://monitor-1:9797/sd`)).text(),
    );
    const schemes = new Set(groups.map(({ labels }) => labels.__scheme__ ?? 'http'));
    expect([...schemes]).toEqual([scheme]);
  }
});
