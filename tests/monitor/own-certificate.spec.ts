import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import os from 'node:os';
import path from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect } from '@playwright/test';
import { readSettings } from '../../config/settings.ts';
import { listen } from '../../monitor/web/server.ts';
import type { Authority } from '../client/certificates.ts';
import { test } from '../client/secured.ts';
import { fromRoot, startNode } from '../process.ts';
import { needs } from '../programs.ts';
import { findAddress, startMonitor, watching } from './process.ts';
import { startProvider } from './provider.ts';
import { servedBy } from './serving.ts';
import { simulatedTime } from './simulated-time.ts';

needs('openssl');

const anyPort = { host: '127.0.0.1', port: 0 };

/** The files of a certificate and its key, at first of the good one. */
function pairFiles({ good }: Authority) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'own-certificate-'));
  const files = { cert: path.join(folder, 'tls.crt'), key: path.join(folder, 'tls.key') };
  const write = (pair: Partial<typeof files>): void => {
    if (pair.cert !== undefined) writeFileSync(files.cert, pair.cert);
    if (pair.key !== undefined) writeFileSync(files.key, pair.key);
  };
  write({ cert: good.cert, key: good.key });
  const env = { MONITOR_TLS_CERT: files.cert, MONITOR_TLS_KEY: files.key };
  const read = () => readSettings(env).monitor.tls;
  return { ...files, write, read, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** What a server answers, and the serial number of its certificate. */
const get = (address: URL, { cert }: Authority): Promise<{ text: string; serial: string }> =>
  new Promise((resolve, reject) => {
    const request = https.get(address, { ca: cert, agent: false }, async (response) => {
      const { socket } = response;
      const serial = socket instanceof TLSSocket ? socket.getPeerCertificate().serialNumber : '';
      resolve({ text: (await response.toArray()).join(''), serial });
    });
    request.on('error', reject);
  });

test('a renewed pair is used; an unusable one is reported once, and the old stays', async ({
  ca,
}) => {
  using files = pairFiles(ca);
  const time = simulatedTime();
  const events: string[] = [];
  const certificate = {
    read: files.read,
    log: {
      info: () => events.push('renewed'),
      warn: (problem: string) => events.push(problem),
    },
  };
  const { page, close } = await listen(servedBy(), { ...anyPort, time, certificate });
  const look = 30_000;
  /** What is reported in this time, and the certificate after it. */
  const after = async (ms: number) => {
    await time.pass(ms);
    return { events: events.splice(0), serial: (await get(page, ca)).serial };
  };
  const { serial: first } = await after(0);
  expect(await after(look * 3)).toEqual({ events: [], serial: first });

  files.write(ca.outliving);
  const renewed = await after(look);
  expect(renewed.events).toEqual(['renewed']);
  expect(renewed.serial).not.toBe(first);

  for (const [pair, problem] of [
    [ca.expired, 'MONITOR_TLS_CERT names a certificate that expired at 2020-02-01T00:00:00.000Z'],
    [{ ...ca.good, key: ca.good.cert }, 'MONITOR_TLS_KEY is not a readable PEM file '],
    [{ key: ca.outliving.key }, 'MONITOR_TLS_KEY names the key of another certificate '],
  ] as const) {
    files.write(pair);
    const reported = { ...renewed, events: [expect.stringContaining(problem)] };
    expect(await after(look * 5)).toEqual(reported);
    await expect(listen(servedBy(), { ...anyPort, certificate })).rejects.toThrow(problem);
  }
  files.write(ca.outliving);
  expect(await after(look)).toEqual(renewed);
  await close();
  expect(time.sleepers()).toBe(0);
});

test('a monitor with a certificate speaks HTTPS and prints no key', async ({ ca }) => {
  using files = pairFiles(ca);
  await using provider = await startProvider();
  await using monitor = startMonitor({
    ...watching(provider.baseUrl),
    MONITOR_TLS_CERT: files.cert,
    MONITOR_TLS_KEY: files.key,
  });
  const page = await findAddress(monitor);
  expect(monitor.stdout()).toContain(`"metrics":"${page.href}metrics"`);
  const read = async (path: string) => (await get(new URL(path, page), ca)).text;
  const all = [await read('/metrics'), await read('/'), await read('/status.json')].join();
  const plain = await fetch(`http://${page.host}/-/healthy`).catch((error: Error) => error.name);
  expect(plain).toBe('TypeError');
  const [, body = ''] = readFileSync(files.key, 'utf8').split('\n');
  expect(body.length).toBeGreaterThan(32);
  expect(all + monitor.stdout() + monitor.stderr()).not.toContain(body);
  expect(await monitor.stop()).toBe(0);
});

test("the image's health check finds the port, with and without a certificate", async ({ ca }) => {
  using files = pairFiles(ca);
  const dockerfile = readFileSync(fromRoot('Dockerfile'), 'utf8');
  const [, command = ''] = /^HEALTHCHECK .*\n +CMD (.*)$/m.exec(dockerfile) ?? [];
  const [, ...args]: string[] = JSON.parse(command);
  const certificate = { read: files.read, log: { info() {}, warn() {} } };
  for (const encrypted of [{ certificate }, {}]) {
    const { page, close } = await listen(servedBy(), { ...anyPort, ...encrypted });
    const exit = async (env: Record<string, string>) =>
      (await startNode('/', args, { MONITOR_PORT: page.port, ...env }).ended).exit;
    const isHttps = 'certificate' in encrypted;
    expect(await exit({ MONITOR_TLS_CERT: files.cert })).toBe(isHttps ? 0 : 1);
    expect(await exit({})).toBe(isHttps ? 1 : 0);
    await close();
  }
});
