import { startSandbox } from '../../sandbox/provider.ts';
import { expect, test } from '../test.ts';
import { findAddress, startMonitor, watching } from './process.ts';
import { account, leaky, startProvider, startSilence, tokenMark } from './provider.ts';

const get = async (base: URL, path: string): Promise<string> =>
  (await fetch(new URL(path, base))).text();

const metric = async (base: URL, sample: string): Promise<string | undefined> =>
  (await get(base, '/metrics'))
    .split('\n')
    .find((line) => line.startsWith(`${sample} `))
    ?.slice(sample.length + 1);

const readState = async (base: URL): Promise<string | undefined> => {
  const { targets } = JSON.parse(await get(base, '/status.json'));
  return targets[0]?.state;
};

const patiently = { timeout: 240_000, intervals: [100] };

/** A secret in the forms in which it may be shown. */
const encodings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  Buffer.from(secret).toString('hex'),
  ...[0, 1, 2].map((cut) => Buffer.from(secret.slice(cut)).toString('base64').slice(0, 12)),
];

test('a provider that keeps and then breaks the contract is on the page and in the metrics, and no secret is', async () => {
  await using provider = await startProvider();
  await using monitor = startMonitor(watching(provider.baseUrl));
  const base = await findAddress(monitor);
  const violated = `contract_clause_violated{target="${provider.baseUrl.host}",clause="BEARER-2"}`;
  await test.step('a provider that keeps the contract', async () => {
    await expect.poll(() => readState(base), patiently).toBe('holds');
    expect(await metric(base, violated)).toBe('0');
    expect(await get(base, '/')).toContain('The contract holds');
  });

  await test.step('and then breaks it', async () => {
    provider.become(leaky);
    await expect.poll(() => metric(base, violated), patiently).toBe('1');
    await expect.poll(() => get(base, '/'), patiently).toContain('with the message');
    await expect.poll(() => get(base, '/'), patiently).toContain('200 application/json');
  });
  const page = await get(base, '/');
  expect(page).toContain('The contract is violated');
  expect(page).toContain('401 {&quot;success&quot;:false,');
  const pages = await Promise.all(['/', '/metrics', '/status.json'].map((path) => get(base, path)));
  expect(await monitor.stop()).toBe(0);
  const output = [...pages, monitor.stdout(), monitor.stderr()].join('\n');
  expect(output).toContain('BEARER-2 violated');
  expect(output).toContain('ERROR-3 violated');
  expect(output).toContain('401 with the message');
  for (const form of [account.apiKey, account.secretKey, tokenMark].flatMap(encodings))
    expect(output).not.toContain(form);
});

test('the monitor watches the sandbox without a provider, and exits with 0 on either signal', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    await using monitor = startMonitor({});
    const base = await findAddress(monitor);
    expect(await get(base, '/-/ready')).toBe('ready\n');
    await expect.poll(() => readState(base), patiently).toBe('holds');
    expect(await monitor.stop(signal)).toBe(0);
    expect(monitor.stdout()).toContain(`${signal} received: draining, no new runs`);
    expect(monitor.stdout().trim().split('\n').at(-1)).toContain('"msg":"stopped"');
    expect(monitor.stderr()).toBe('');
  }
});

test('a provider that never answers does not keep the monitor from stopping', async () => {
  await using silent = await startSilence();
  await using monitor = startMonitor({ ...watching(silent.origin), PUBLIC_API_TIMEOUT_MS: '1500' });
  await findAddress(monitor);
  await silent.asked;
  expect(await monitor.stop()).toBe(0);
  expect(monitor.stdout().trim().split('\n').at(-1)).toContain('"msg":"stopped');
});

test('the monitor continues when its log is not read any more', async () => {
  const provider = await startProvider();
  await using monitor = startMonitor(watching(provider.baseUrl));
  const base = await findAddress(monitor);
  monitor.deafen();
  await expect.poll(() => readState(base), patiently).toBe('holds');
  await provider.close();
  await expect.poll(() => readState(base), patiently).toBe('unreachable');
  expect(await monitor.stop()).toBe(0);
  expect(monitor.stderr()).toBe('');
});

test('an address that cannot be listened on is reported in one line, with exit code 2', async () => {
  await using other = await startSandbox();
  const { host, port } = other.baseUrl;
  for (const [settings, line] of [
    [{ MONITOR_PORT: port }, `${host} is in use: set MONITOR_PORT to another port, or 0 for any`],
    [
      { MONITOR_HOST: '192.0.2.1' },
      '192.0.2.1:0 is not an address of this machine: set MONITOR_HOST',
    ],
  ] as const) {
    await using monitor = startMonitor(settings);
    expect(await monitor.ended).toBe(2);
    expect(monitor.stdout()).toBe('');
    expect(monitor.stderr()).toBe(`${line}\n`);
  }
});
