import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Agent } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { readSettings } from '../../config/settings.ts';
import { newAgent } from '../../contract/http/connections.ts';
import { type Authority, authority } from '../client/certificates.ts';
import { send } from '../client/stage.ts';
import { tlsFront } from '../client/tls-front.ts';
import { startGate } from '../gate/process.ts';
import { findAddress, startMonitor, watching } from '../monitor/process.ts';
import { startProvider } from '../monitor/provider.ts';
import { needs } from '../programs.ts';
import { test as base, expect } from '../test.ts';
import { startTinyproxy, type Tinyproxy } from './tinyproxy.ts';

needs('tinyproxy', 'openssl');

const password = 'p4ssw0rd-planted';
const credentials = 'someone:p4ssw0rd-planted';
/** A probe that needs few requests. */
const one = 'a-token-opens-the-endpoint';

const basic = Buffer.from(credentials).toString('base64');

/** A provider with a certificate of a private CA, and a proxy that requires credentials. */
interface Network {
  readonly proxy: Tinyproxy;
  readonly url: URL;
  readonly folder: string;
  /** The settings for this project's programs. */
  readonly env: Readonly<Record<string, string>>;
  readonly ca: string;
  /** Stops the provider, so that its address has no listener. */
  stopProvider(): Promise<void>;
}

const test = base.extend<{ network: Network }, { certificates: Authority }>({
  certificates: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const made = await authority();
      await use(made);
      await made.remove();
    },
    { scope: 'worker' },
  ],
  network: async ({ certificates }, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'behind-a-proxy-'));
    const file = path.join(folder, 'ca.pem');
    writeFileSync(file, certificates.cert);
    await using proxy = await startTinyproxy(credentials);
    await using provider = await startProvider();
    const front = await tlsFront(provider.baseUrl, certificates.good, '127.0.0.2');
    const env = {
      ...watching(front.url),
      PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets',
      PUBLIC_API_CA_FILE: file,
      HTTPS_PROXY: proxy.address,
    };
    const stopProvider = async () => front.close();
    await use({ proxy, url: front.url, folder, env, ca: certificates.cert, stopProvider });
    front.close();
    rmSync(folder, { recursive: true });
  },
});

/** Sends one request as this project's programs do with these settings. */
function request({ url, ca }: Network, env: Network['env'], agent?: Agent) {
  const { proxies } = readSettings(env);
  return send({ origin: url }, { agent }, { ca, proxies });
}

/** An agent that keeps connections through the proxy of these settings. */
const keptThrough = ({ url, env }: Network): Agent =>
  newAgent({ origin: url, proxies: readSettings(env).proxies }, { keepAlive: true, maxSockets: 1 });

test('an answer through the proxy has phases, and the facts of TLS of the provider', async ({
  network,
}) => {
  const agent = keptThrough(network);
  const first = await request(network, network.env, agent);
  expect(first).toMatchObject({ status: 401, certificate: { raw: expect.any(Buffer) } });
  expect(first.phases.connect).toBeGreaterThan(0);
  expect(first.phases.processing).toBeGreaterThan(0);
  const second = await request(network, network.env, agent);
  agent.destroy();
  expect({ connect: second.phases.connect, tls: second.phases.tls }).toEqual({
    connect: 0,
    tls: 0,
  });
  expect((await request(network, network.env)).status).toBe(401);
  const connect = `CONNECT ${network.url.host} HTTP/1.1`;
  await expect.poll(network.proxy.requests).toEqual([connect, connect]);
});

test('a failure on the way names the proxy, and no secret', async ({ network }) => {
  const messageOf = async (env: Network['env']): Promise<string> => {
    const error: unknown = await request(network, env).catch((error: unknown) => error);
    return error instanceof Error ? error.message : '';
  };
  const where = `GET /public-api/v1/widgets through the proxy ${network.proxy.host}`;
  const wrong = network.proxy.address.replace(password, 'another');
  expect(await messageOf({ ...network.env, HTTPS_PROXY: wrong })).toMatch(
    new RegExp(`^${where}: no connection \\(the proxy answers 40[17]\\)$`),
  );
  const { PUBLIC_API_CA_FILE: _, ...env } = network.env;
  expect(await messageOf({ ...env, HTTPS_PROXY: 'http://127.0.0.1:1' })).toBe(
    'GET /public-api/v1/widgets through the proxy 127.0.0.1:1: no connection (ECONNREFUSED)',
  );
  const untrusted = request({ ...network, ca: '' }, network.env);
  await expect(untrusted).rejects.toThrow(/through the proxy .*: no trusted TLS connection /);
  await network.stopProvider();
  expect(await messageOf(network.env)).toBe(`${where}: no connection (the proxy answers 500)`);
});

test('the gate judges a provider through the proxy', async ({ network }) => {
  const { exit, stdout, stderr } = await startGate(network.folder, [one], network.env).ended;
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toContain('Contract holds as far as selected');
  await expect.poll(network.proxy.requests).not.toEqual([]);
  const report = readFileSync(path.join(network.folder, 'reports/gate.json'), 'utf8');
  for (const secret of [password, basic]) expect(stdout + report).not.toContain(secret);
});

test('the monitor watches through the proxy, and shows no secret of it', async ({ network }) => {
  await using monitor = startMonitor(network.env);
  const page = await findAddress(monitor);
  const text = async (route: string) => (await fetch(new URL(route, page))).text();
  await expect.poll(() => text('/metrics')).toMatch(/^probe_success\{.*\} 1$/m);
  await expect
    .poll(() => text('/metrics'))
    .toMatch(/^probe_http_duration_seconds\{.*phase="connect"\} 0\.0*[1-9]/m);
  await network.stopProvider();
  const unreachable = /^contract_monitor_unreachable_total\{.*reason="connect"\} [1-9]/m;
  await expect.poll(() => text('/metrics'), { timeout: 240_000 }).toMatch(unreachable);
  // One run without an answer is not yet shown as the target's state.
  const why = `through the proxy ${network.proxy.host}: no connection`;
  await expect.poll(() => text('/status.json'), { timeout: 240_000 }).toContain(why);
  const seen = [await text('/'), await text('/status.json'), monitor.stdout(), monitor.stderr()];
  expect(seen[1]).not.toContain('"violated"');
  for (const secret of [password, basic]) expect(seen.join()).not.toContain(secret);
  expect(await monitor.stop()).toBe(0);
});
