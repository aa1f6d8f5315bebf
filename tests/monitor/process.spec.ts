import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Status } from '../../monitor/watch/status.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { needs, programPath } from '../programs.ts';
import { addressOf, type Monitor, startMonitor, watching } from './process.ts';
import { account, leaky, startDelay, startProvider, startSilence, tokenMark } from './provider.ts';

const get = async (base: URL, path: string): Promise<string> =>
  (await fetch(new URL(path, base))).text();

const metric = async (base: URL, sample: string): Promise<string | undefined> =>
  (await get(base, '/metrics'))
    .split('\n')
    .find((line) => line.startsWith(`${sample} `))
    ?.slice(sample.length + 1);

const stateOf = async (base: URL): Promise<string | undefined> => {
  const status: Status = JSON.parse(await get(base, '/status.json'));
  return status.targets[0]?.state;
};

const patiently = { timeout: 240_000, intervals: [100] };

/** Stops the monitor. @returns its pages and everything it printed, where a secret could appear */
async function everythingPrinted(monitor: Monitor, base: URL): Promise<string> {
  const pages = await Promise.all(['/', '/metrics', '/status.json'].map((path) => get(base, path)));
  expect(await monitor.stop()).toBe(0);
  return [...pages, monitor.stdout(), monitor.stderr()].join('\n');
}

function expectNoSecret(output: string): void {
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    for (const form of [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
      Buffer.from(secret).toString('hex'),
      ...[0, 1, 2].map((cut) => Buffer.from(secret.slice(cut)).toString('base64').slice(0, 12)),
    ])
      expect(output).not.toContain(form);
}

test('a provider that keeps and then breaks the contract is on the page and in the metrics, and no secret is', async () => {
  await using provider = await startProvider();
  await using monitor = startMonitor(watching(provider.baseUrl));
  const base = await addressOf(monitor);
  const target = provider.baseUrl.host;
  await expect.poll(() => stateOf(base), patiently).toBe('holds');
  const failures = `monitor_consecutive_failures{target="${target}",probe="a-request-without-a-token-is-refused"}`;
  const violated = `contract_clause_verdict{target="${target}",clause="BEARER-2",verdict="violated"}`;
  expect(await metric(base, failures)).toBe('0');
  expect(await metric(base, violated)).toBe('0');
  expect(await metric(base, 'monitor_schedule_lag_seconds_count')).not.toBe('0');
  expect(await get(base, '/')).toContain('The contract holds');

  provider.become(leaky);
  await expect.poll(() => metric(base, violated), patiently).toBe('1');
  await expect.poll(() => get(base, '/'), patiently).toContain('with the message');
  await expect.poll(() => get(base, '/'), patiently).toContain('200 application/json');
  // Another probe may have found the violation first.
  await expect.poll(() => metric(base, failures), patiently).toMatch(/^[1-9]/);
  const page = await get(base, '/');
  expect(page).toContain('The contract is broken');
  expect(page).toContain('401 {&quot;success&quot;:false,');
  const output = await everythingPrinted(monitor, base);
  expect(output).toContain('BEARER-2 violated');
  expect(output).toContain('ERROR-3 violated');
  expect(output).toContain('401 with the message');
  expectNoSecret(output);
});

test('the monitor starts while the provider is down, reports that, and notices its recovery', async () => {
  const { baseUrl: origin, close } = await startProvider();
  await close();
  await using monitor = startMonitor(watching(origin));
  const base = await addressOf(monitor);
  await expect.poll(() => stateOf(base), patiently).toBe('unreachable');
  const target = `target="${origin.host}"`;
  const probe = `${target},probe="a-token-opens-the-endpoint"`;
  await expect
    .poll(() => metric(base, `monitor_failures_total{${target},reason="connect"}`), patiently)
    .toMatch(/^[1-9]/);
  await expect.poll(() => metric(base, `probe_success{${probe}}`), patiently).toBe('0');
  expect(await get(base, '/')).toContain('The provider cannot be judged');

  await using _back = await startProvider(Number(origin.port));
  await expect.poll(() => metric(base, `probe_success{${probe}}`), patiently).toBe('1');
  await expect.poll(() => get(base, '/'), patiently).not.toContain('cannot be judged');
  expectNoSecret(await everythingPrinted(monitor, base));
});

test('refused credentials are shown and violate no clause, and the monitor continues', async () => {
  await using refusing = await startSandbox();
  await using monitor = startMonitor(watching(refusing.baseUrl));
  const base = await addressOf(monitor);
  await expect.poll(() => stateOf(base), patiently).toBe('unreachable');
  const page = await get(base, '/');
  expect(page).toContain('the token endpoint refused the credentials with status 400');
  const failures = (await get(base, '/metrics'))
    .split('\n')
    .filter((line) => /^monitor_failures_total.* [1-9]/.test(line));
  expect(failures.length).toBeGreaterThan(0);
  for (const line of failures) expect(line).toContain('reason="credentials"');
  expectNoSecret(await everythingPrinted(monitor, base));
});

test('the monitor watches the sandbox without a provider, and exits with 0 on either signal', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    await using monitor = startMonitor({});
    const base = await addressOf(monitor);
    expect(await get(base, '/-/ready')).toBe('ready\n');
    await expect.poll(() => stateOf(base), patiently).toBe('holds');
    expect(await monitor.stop(signal)).toBe(0);
    expect(monitor.stdout()).toContain(`${signal} received: draining, no new runs`);
    expect(monitor.stdout().trim().split('\n').at(-1)).toContain('"msg":"stopped"');
    expect(monitor.stderr()).toBe('');
  }
});

test('a provider that never answers delays the shutdown no longer than a request may take', async () => {
  await using silent = await startSilence();
  await using monitor = startMonitor({ ...watching(silent.origin), PUBLIC_API_TIMEOUT_MS: '1500' });
  await addressOf(monitor);
  await silent.asked;
  const before = performance.now();
  expect(await monitor.stop()).toBe(0);
  const tookMs = performance.now() - before;
  expect(tookMs).toBeGreaterThan(1_000);
  expect(tookMs).toBeLessThan(5_000);
});

test('the monitor continues when its log is not read any more', async () => {
  const provider = await startProvider();
  await using monitor = startMonitor(watching(provider.baseUrl));
  const base = await addressOf(monitor);
  monitor.deafen();
  await expect.poll(() => stateOf(base), patiently).toBe('holds');
  await provider.close();
  await expect.poll(() => stateOf(base), patiently).toBe('unreachable');
  expect(await monitor.stop()).toBe(0);
  expect(monitor.stderr()).toBe('');
});

test('a run that takes longer is aborted when the monitor is stopped', async () => {
  await using provider = await startProvider();
  // Only the run that tries path variants one after the other sends such requests.
  const slowly = /^\S+ \S+\/widgets[./;%]/;
  await using slow = await startDelay(provider.baseUrl, slowly, 2_000);
  await using monitor = startMonitor({ ...watching(slow.origin), PUBLIC_API_TIMEOUT_MS: '3000' });
  await addressOf(monitor);
  await slow.asked;
  expect(await monitor.stop()).toBe(0);
  expect(monitor.stdout()).toContain('stopped before all runs had ended');
});

test('a port in use is reported in one line, with exit code 2', async () => {
  await using other = await startSandbox();
  await using monitor = startMonitor({ MONITOR_PORT: other.baseUrl.port });
  expect(await monitor.ended).toBe(2);
  expect(monitor.stderr()).toBe(
    `127.0.0.1:${other.baseUrl.port} is in use: set MONITOR_PORT to another port, or 0 for any\n`,
  );
  expect(monitor.stdout()).toBe('');
});

test('an address of another machine is reported in one line, with exit code 2', async () => {
  await using monitor = startMonitor({ MONITOR_HOST: '192.0.2.1' });
  expect(await monitor.ended).toBe(2);
  expect(monitor.stderr()).toBe(
    '192.0.2.1:0 is not an address of this machine: set MONITOR_HOST\n',
  );
});

test('wrong settings are reported in a line each, with exit code 2', async () => {
  const ca = test.info().outputPath('ca.pem');
  writeFileSync(ca, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  await using monitor = startMonitor({ MONITOR_PERIOD_SECONDS: 'often', PUBLIC_API_CA_FILE: ca });
  expect(await monitor.ended).toBe(2);
  const lines = monitor.stderr().trim().split('\n');
  expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
    'MONITOR_PERIOD_SECONDS',
    'PUBLIC_API_CA_FILE',
  ]);
});

test('an unknown argument is reported in one line, with exit code 2', async () => {
  await using monitor = startMonitor({}, ['--frobnicate']);
  expect(await monitor.ended).toBe(2);
  expect(monitor.stderr()).toBe(
    'unknown argument --frobnicate: npm start -- --help lists the options\n',
  );
});

test('--help after another option prints the usage too', async () => {
  await using monitor = startMonitor({}, ['--check', '--help']);
  expect(await monitor.ended).toBe(0);
  expect(monitor.stdout()).toContain('npm start -- --check');
  expect(monitor.stderr()).toBe('');
});

test.describe('linted', () => {
  needs('promtool');

  test('promtool accepts the metrics of a running monitor', async () => {
    await using monitor = startMonitor({});
    const base = await addressOf(monitor);
    await expect.poll(() => stateOf(base), patiently).toBe('holds');
    const { status, stdout, stderr } = spawnSync(programPath('promtool'), ['check', 'metrics'], {
      input: await get(base, '/metrics'),
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});
